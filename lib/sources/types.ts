import type { SourceRef } from "../domain/jobs/source.ts"

/** What the place of a recording tells about it. */
export type SourceAbout = {
  readonly title: string | null
  readonly channel: string | null
  /** ISO 8601. */
  readonly published_at: string | null
}

/** A recording that has been opened: a real regular file inside the roots (or an upload). */
export type OpenedSource = {
  readonly path: string
  /** Identity by real path; undefined where the identity given at submission stands (uploads). */
  readonly sessionId: string | undefined
  /** Where the recording lies after this reading: a path, or an address of the blobs; null where nothing stays of it. */
  readonly keptAt: string | null
  /** Present where the file was made for this reading alone: whoever opened the source removes it when done. */
  readonly remove?: () => Promise<void>
  readonly about?: SourceAbout
  /** Where it really is, when the address that was given led to another recording. */
  readonly address?: string
}

/** Opens a source for reading. @throws AppError (never retry) with a sentence naming the path and what to do. */
export type OpenSource = (ref: SourceRef, signal: AbortSignal) => Promise<OpenedSource>
