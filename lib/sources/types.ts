import type { SourceRef } from "../store/types.ts"

export type { SourceRef }

/** A recording that has been opened: a real regular file inside the roots (or an upload). */
export type OpenedSource = {
  readonly path: string
  /** Identity by real path; undefined where the identity given at submission stands (uploads). */
  readonly sessionId: string | undefined
  /** Present where the file was made for this reading alone: whoever opened the source removes it when done. */
  readonly remove?: () => Promise<void>
}

/** Opens a source for reading. @throws AppError (never retry) with a sentence naming the path and what to do. */
export type OpenSource = (ref: SourceRef, signal: AbortSignal) => Promise<OpenedSource>
