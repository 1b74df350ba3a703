import type { Format } from "../domain/document-formats.ts"
import type { ErrorCode } from "../domain/errors.ts"
import type { SplitOptions } from "./split.ts"

export type ParseTask = {
  /** What is made of the file: chunks for the index, or its content for display. */
  readonly purpose: "chunks" | "content"
  readonly format: Format
  readonly extension: string
  readonly bytes: Uint8Array
  readonly split: SplitOptions
  /** Whether the chunks also get the vectors of the built-in embedder. */
  readonly embeds: boolean
}

/**
 * Chunks as `serialize` of node:v8 encodes them, so that the parent process need not decode them. Of a file's content, a portion
 * as JSON, and in the last record what `ContentSummary` describes.
 */
export type ChunkRecord = { readonly record: Uint8Array; readonly count: number }

/** What a child process receives: the file in slices, of which the last comes with the task. */
export type ParseRequest = { readonly slice: Uint8Array } | ParseTask

/** What a child process sends: `started`, then chunks in batches, then the last batch with `done`, or the reason of a failure. */
export type ParseReply =
  | { readonly started: true }
  | ChunkRecord
  | (ChunkRecord & { readonly done: true })
  | { readonly code: ErrorCode; readonly detail: string }
