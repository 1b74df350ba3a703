import type { ZodType } from "zod"
import type { Endpoints } from "../endpoint.ts"
import { ENDPOINTS, type EndpointId } from "../table.ts"
import { type EarmarkClient, makeClient } from "./client.ts"
import { EarmarkError } from "./errors.ts"
import type { Checks, ClientOptions, EventOf, ResponseOf } from "./transport.ts"

export type { Clip, ClipEntry, ClipList, ClipPatch, ClipsQuery, ExportFormat } from "../../domain/clips.ts"
export type { Chunk, DocumentEntry, QueryCitation, QueryScope, QuerySource } from "../../domain/documents.ts"
export type { Feed } from "../../domain/feeds.ts"
export type { Installation } from "../../domain/installation.ts"
export type { AudioJobInput, JobList, JobProgress, JobRecord, JobsQuery } from "../../domain/jobs/jobs.ts"
export type { SearchResult, TopicPoint, VizData } from "../../domain/map.ts"
export type { SearchAnswer } from "../../domain/search.ts"
export type { ClipTopics, TopicPatch } from "../../domain/topics/topic-edits.ts"
export type { FlatTopic, TopicNode, TopicTree } from "../../domain/topics/topic-tree.ts"
export type { TranscriptInput } from "../../domain/transcript/given/read-transcript.ts"
export type { WordEdit } from "../../domain/transcript/word-edits.ts"
export type { WordSpan } from "../../domain/transcript/words.ts"
export type { IngestRequest, IngestResponse, QueryEvent, QueryInput, QueryResponse } from "../documents.ts"
export type { JobResultResponse, JobSubmitResponse } from "../jobs.ts"
export type { CreateOptions, EarmarkClient, Signal, TaggedVizData } from "./client.ts"
export type { TranscribeOptions, WaitOptions } from "./convenience.ts"
export { EarmarkError } from "./errors.ts"
export type { ClientOptions } from "./transport.ts"
export type { UploadFields, UploadOptions } from "./upload.ts"

const endpoints: Endpoints = ENDPOINTS

const validate = (schema: ZodType | undefined, status: number, value: unknown): unknown => {
  if (!schema) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new EarmarkError(
    status,
    `The response has an unexpected format at '${issue?.path.join(".")}': ${issue?.message}. Check that client and service have the same version.`,
    { cause: parsed.error },
  )
}

const checks: Checks = {
  response: <K extends EndpointId>(id: K, status: number, body: unknown) =>
    validate(endpoints[id]?.response?.schema, status, body) as ResponseOf<K>,
  event: <K extends EndpointId>(id: K, status: number, event: unknown) =>
    validate(endpoints[id]?.events?.schema, status, event) as EventOf<K>,
}

/** Creates a typed client of the HTTP API for browsers and Node.js. It validates every response. */
export const createClient = (options: ClientOptions = {}): EarmarkClient => makeClient(options, checks)
