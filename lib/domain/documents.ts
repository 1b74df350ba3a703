import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** What to search: ingested files, transcripts, or both. */
export const queryScope = z.enum(["documents", "clips", "all"])
export type QueryScope = z.infer<typeof queryScope>

/** The position of a chunk in its document. Fields that do not apply to a format are missing. Times are in seconds. */
export const chunkMetadata = z.object({
  /** The absolute path of the file, or the ID of the clip. */
  source: z.string(),
  title: z.string().optional(),
  heading: z.string().optional(),
  /** The number of the page, slide or sheet, from 1. */
  page: z.int().min(1).optional(),
  start_s: z.number().min(0).optional(),
  end_s: z.number().min(0).optional(),
})
export type ChunkMetadata = z.infer<typeof chunkMetadata>

/** Returns the title and heading of a chunk, which full-text search indexes along with its text. */
export const chunkContext = ({ title, heading }: Pick<ChunkMetadata, "title" | "heading">): string =>
  [title, heading].filter(Boolean).join("\n")

export const chunk = z.object({ id: z.string(), doc_id: z.string(), text: z.string(), metadata: chunkMetadata })
export type Chunk = z.infer<typeof chunk>

/** A retrieved chunk. The best possible score is 1. */
export const querySource = z.object({ chunk, score: z.number() })
export type QuerySource = z.infer<typeof querySource>

/** A citation in an answer: the number of its source, from 1, and for a recording the time of the cited sentence. */
export const queryCitation = z.object({ source: z.int().min(1), start_s: z.number().min(0).optional() })
export type QueryCitation = z.infer<typeof queryCitation>

/** `kept`: up to date. `changed`: the file is newer than the index. `gone`: the file no longer exists. */
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
  /** True if the file was uploaded, so that the service stores it. */
  uploaded: z.boolean(),
})
export type DocumentEntry = z.infer<typeof documentEntry>
