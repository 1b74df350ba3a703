import type { Clip, ClipList, ClipPatch, ClipsQuery, ExportFormat } from "../../domain/clips.ts"
import type {
  DocumentEntry,
  DocumentList,
  DocumentText,
  IngestInput,
  IngestResult,
  QueryEvent,
  QueryInput,
  QueryResult,
} from "../../domain/documents.ts"
import type { Feed, FeedQuery } from "../../domain/feeds.ts"
import type { Readiness } from "../../domain/health.ts"
import type { Installation } from "../../domain/installation.ts"
import type {
  AudioJobInput,
  JobList,
  JobRecord,
  JobResult,
  JobsQuery,
  Submitted,
  TopicSettingsInput,
  TranscriptionSettingsInput,
} from "../../domain/jobs/jobs.ts"
import type { SearchResult, VizData } from "../../domain/map.ts"
import type { SearchAnswer, SearchQuery } from "../../domain/search.ts"
import type { ModelList, Pulling } from "../../domain/speech-models.ts"
import type { TopicDiff, TopicDiffInput } from "../../domain/topics/diff-schema.ts"
import type { ClipTopics, TopicPatch } from "../../domain/topics/topic-edits.ts"
import type { TopicRun, TopicRunList } from "../../domain/topics/topic-runs.ts"
import type { Waveform } from "../../domain/transcript/waveform.ts"
import type { WordEdit, WordEdits } from "../../domain/transcript/word-edits.ts"
import type { UploadFields, UploadOptions } from "./upload.ts"

export type Signal = { readonly signal?: AbortSignal }

/** A map together with the tag under which the service knows this very version of it. */
export type TaggedVizData = { readonly data: VizData; readonly etag: string }

/** Every method throws EarmarkError{status, detail} for a refusal, and validates what it gives back. */
export interface EarmarkClient {
  health(options?: Signal): Promise<{ status: "ok" }>
  /** State of the parts. A service that is down (503) answers too: it does not throw for that. */
  readiness(options?: Signal): Promise<Readiness>
  submit(request: AudioJobInput, options?: Signal): Promise<Submitted>
  upload(file: Blob, fields?: UploadFields, options?: UploadOptions): Promise<Submitted>
  job(jobId: string, options?: Signal): Promise<JobRecord>
  jobs(query?: Partial<JobsQuery>, options?: Signal): Promise<JobList>
  cancel(jobId: string, options?: Signal): Promise<JobRecord>
  retry(jobId: string, options?: Signal): Promise<Submitted>
  result(jobId: string, options?: Signal): Promise<JobResult>
  /** The states of a job until it ends, the end included; reconnects by itself. */
  events(jobId: string, options?: Signal): AsyncGenerator<JobRecord>
  clip(id: string, options?: Signal): Promise<Clip>
  clips(query?: Partial<ClipsQuery>, options?: Signal): Promise<ClipList>
  /** Names are merged by speaker id; an empty name takes the name away. */
  editClip(id: string, patch: ClipPatch, options?: Signal): Promise<Clip>
  deleteClip(id: string, options?: Signal): Promise<void>
  /** The topics as people see them, and their edits, shown or not. */
  topics(id: string, options?: Signal): Promise<ClipTopics>
  /** Writes over a topic by its number ("1.2"); null takes an edit of that field away. Seconds. */
  editTopic(id: string, topic: string, patch: TopicPatch, options?: Signal): Promise<ClipTopics>
  /** Takes back all edits of a topic, those of its borders included. */
  resetTopic(id: string, topic: string, options?: Signal): Promise<ClipTopics>
  /** Takes back one edit, also one that is not shown. */
  removeTopicEdit(id: string, edit: string, options?: Signal): Promise<ClipTopics>
  /** Makes the topics anew from the transcript that is there; a job as any other. */
  rerunTopics(id: string, settings?: TopicSettingsInput, options?: Signal): Promise<Submitted>
  /** Has the recording heard once more, by another engine or model. Throws 409 for a clip without a recording. */
  retranscribe(id: string, settings?: TranscriptionSettingsInput, options?: Signal): Promise<Submitted>
  topicRuns(id: string, options?: Signal): Promise<TopicRunList>
  topicRun(id: string, run: string, options?: Signal): Promise<TopicRun>
  /** What became of borders and titles from run `a` to run `b`; `shown` stands for what people see. */
  diffTopics(id: string, query: TopicDiffInput, options?: Signal): Promise<TopicDiff>
  /** Address of the recording, for an audio element; it answers ranges. */
  audioUrl(id: string): string
  /** Address that saves the clip as a file. */
  exportUrl(id: string, format: ExportFormat): string
  exportClip(id: string, format: ExportFormat, options?: Signal): Promise<string>
  /** How loud the recording is. Throws 404 where the clip has none. */
  waveform(id: string, options?: Signal): Promise<Waveform>
  wordEdits(id: string, options?: Signal): Promise<WordEdits>
  /** Corrects the transcript; what is given back are the numbers by which it can be taken back. */
  editWords(id: string, edits: readonly WordEdit[], options?: Signal): Promise<WordEdits>
  dropWordEdit(id: string, edit: number, options?: Signal): Promise<void>
  /** Titles, topics and spoken words. */
  search(query: Pick<SearchQuery, "q"> & Partial<SearchQuery>, options?: Signal): Promise<SearchAnswer>
  documents(options?: Signal): Promise<DocumentList>
  document(id: string, options?: Signal): Promise<DocumentText>
  /** Address of the document's own file; `#page=3` opens a PDF there. */
  documentFileUrl(id: string): string
  addDocument(file: Blob, options?: Omit<UploadOptions, "onProgress">): Promise<DocumentEntry>
  removeDocument(id: string, options?: Signal): Promise<void>
  installation(options?: Signal): Promise<Installation>
  /** The episodes of a podcast; `submit` takes an episode's `url` as source. */
  feed(query: Pick<FeedQuery, "url"> & Partial<FeedQuery>, options?: Signal): Promise<Feed>
  /** Models for hearing, and how far one is that is being fetched. */
  models(options?: Signal): Promise<ModelList>
  /** Begins to fetch a model. */
  pullModel(name: string, options?: Signal): Promise<Pulling>
  /** Takes a model off the service's machine. */
  removeModel(name: string, options?: Signal): Promise<void>
  ingest(request: IngestInput, options?: Signal): Promise<IngestResult>
  query(request: QueryInput, options?: Signal): Promise<QueryResult>
  /** The same piece by piece: `sources`, `delta`…, `done`. Throws EarmarkError when the answer breaks off. */
  queryStream(request: QueryInput, options?: Signal): AsyncGenerator<Exclude<QueryEvent, { event: "error" }>>
  /** Null: nothing has changed since `etag`. */
  vizData(p?: { threshold?: number; etag?: string } & Signal): Promise<TaggedVizData | null>
  vizSearch(p: { q: string; topK?: number } & Signal): Promise<SearchResult[]>
}
