import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** Where to look: ingested files, the transcripts of recordings, or both. */
export const queryScope = z.enum(["documents", "clips", "all"])
export type QueryScope = z.infer<typeof queryScope>

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
