import type { ErrorCode } from "../domain/errors.ts"
import type { ChunkDraft, SplitOptions } from "./split.ts"
import type { Format } from "./types.ts"

export type ParseTask = {
  readonly format: Format
  readonly extension: string
  readonly bytes: Uint8Array
  readonly split: SplitOptions
}

/** What a child process receives: the file in slices, of which the last comes with the task. */
export type ParseRequest = { readonly slice: Uint8Array } | ParseTask

/** What a child process sends: `started`, then chunks in batches, then the last batch with `done`, or the reason of a failure. */
export type ParseReply =
  | { readonly started: true }
  | { readonly chunks: readonly ChunkDraft[] }
  | { readonly done: true; readonly chunks: readonly ChunkDraft[] }
  | { readonly code: ErrorCode; readonly detail: string }
