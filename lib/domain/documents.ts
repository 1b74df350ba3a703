import * as z from "zod"
import { MAX_QUESTION_CHARS } from "./constants.ts"
import { providerName } from "./jobs/jobs.ts"
import { isoTime, withoutNul } from "./schemas.ts"

const path = z.string().min(1).max(4096)

export const ingestRequest = z.object({
  /** Files or folders inside the roots; a folder is read with all that lies below it. */
  paths: z.array(path).min(1).max(1000),
  /** Forget documents of these paths whose files are gone. */
  prune: z.boolean().default(false),
})
export type IngestRequest = z.infer<typeof ingestRequest>
export type IngestInput = z.input<typeof ingestRequest>

export const ingestResult = z.object({
  /** Documents that are new or changed, and the chunks that they were split into. */
  ingested: z.int().min(0),
  chunks: z.int().min(0),
  unchanged: z.int().min(0),
  /** Files of the folders that are of no format that can be read. */
  skipped: z.int().min(0),
  /** Documents forgotten because their files are gone. */
  pruned: z.int().min(0),
  failed: z.array(z.object({ path: z.string(), detail: z.string() })),
})
export type IngestResult = z.infer<typeof ingestResult>

/** Where to look: ingested files, the transcripts of recordings, or both. */
export const queryScope = z.enum(["documents", "clips", "all"])
export type QueryScope = z.infer<typeof queryScope>

export const queryRequest = z.object({
  question: z.string().overwrite(withoutNul).trim().min(1).max(MAX_QUESTION_CHARS),
  /** How many passages; SERVICE_TOP_K (5) when not given. */
  top_k: z.int().min(1).max(100).optional(),
  scope: queryScope.default("documents"),
})
export type QueryRequest = z.infer<typeof queryRequest>
export type QueryInput = z.input<typeof queryRequest>

/** Where a chunk stands in its document; what a format does not have is missing. Times in seconds. */
export const chunkMetadata = z.object({
  /** The absolute path of the file, or the id of the clip. */
  source: z.string(),
  title: z.string().optional(),
  heading: z.string().optional(),
  /** Counted from 1: a page of a PDF, a slide, a sheet. */
  page: z.int().min(1).optional(),
  start_s: z.number().min(0).optional(),
  end_s: z.number().min(0).optional(),
})
export type ChunkMetadata = z.infer<typeof chunkMetadata>

export const chunk = z.object({ id: z.string(), doc_id: z.string(), text: z.string(), metadata: chunkMetadata })
export type Chunk = z.infer<typeof chunk>

/** A passage that was found; the best possible score is 1. */
export const querySource = z.object({ chunk, score: z.number() })
export type QuerySource = z.infer<typeof querySource>

/** A mark of an answer: its source, counted from 1, and of a recording the second at which the sentence before the mark was said. */
export const queryCitation = z.object({ source: z.int().min(1), start_s: z.number().min(0).optional() })
export type QueryCitation = z.infer<typeof queryCitation>

/** `[n]` in the answer is the n-th source, counted from 1; `citations` has one entry for each, in their order. */
export const queryResult = z.object({
  answer: z.string(),
  sources: z.array(querySource),
  citations: z.array(queryCitation),
  provider: providerName,
  model: z.string().nullable(),
})
export type QueryResult = z.infer<typeof queryResult>

/** What a streamed answer consists of, in this order: `sources` once, `delta` for each piece of text, `done` once. */
export const queryEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("sources"), data: z.object({ sources: z.array(querySource) }) }),
  z.object({ event: z.literal("delta"), data: z.object({ text: z.string() }) }),
  z.object({ event: z.literal("done"), data: queryResult.omit({ sources: true }) }),
  /** Instead of `done` when the answer broke off. */
  z.object({ event: z.literal("error"), data: z.object({ detail: z.string() }) }),
])
export type QueryEvent = z.infer<typeof queryEvent>

/** `changed`: the file on the disk is newer than what is kept of it; `gone`: it is no longer there. */
export const documentState = z.enum(["kept", "changed", "gone"])
export const documentEntry = z.object({
  id: z.string(),
  /** The absolute path of the file. */
  source: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  chunks: z.int().min(0),
  ingested_at: isoTime,
  state: documentState,
  /** Whether the service keeps the file itself, because it was sent to it. */
  uploaded: z.boolean(),
})
export type DocumentEntry = z.infer<typeof documentEntry>
export const documentList = z.object({ documents: z.array(documentEntry) })
export type DocumentList = z.infer<typeof documentList>
/** A document as it is searched: its text in parts that overlap a little. */
export const documentText = documentEntry.extend({ parts: z.array(chunk) })
export type DocumentText = z.infer<typeof documentText>
export const documentParams = z.object({ id: z.string().min(1).max(200) })
