export type { IngestResponse, QueryResponse } from "../api/documents.ts"
export type { QueryCitation, QuerySource } from "../domain/documents.ts"
export { AppError } from "../domain/errors.ts"
export type { JobProgress } from "../domain/jobs/jobs.ts"
export type { TopicNode, TopicTree } from "../domain/topics/topic-tree.ts"
export type { TranscriptInput } from "../domain/transcript/given/read-transcript.ts"
export type { WordSpan } from "../domain/transcript/words.ts"
export type { Config } from "../platform/config/config.ts"
export { loadConfig } from "../platform/config/config.ts"
export type { IngestProgress } from "../services/documents/ingest.ts"
export type { Block } from "./blocks.ts"
export {
  Earmark,
  type IngestOptions,
  type QueryOptions,
  type RecordingSource,
  type Topics,
  type Transcription,
  type UploadedRecording,
} from "./earmark.ts"
export type { RunOptions, TopicOptions } from "./options.ts"
