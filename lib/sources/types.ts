import type { SourceRef } from "../domain/jobs/source.ts"

/** What a source reports about its recording. */
export type SourceMetadata = {
  readonly title: string | null
  readonly channel: string | null
  /** ISO 8601. */
  readonly published_at: string | null
}

/** An opened recording: a regular file inside the roots, or an upload. */
export type OpenedSource = {
  readonly path: string
  /** Clip ID by real path. Undefined if the ID from submission applies (uploads). */
  readonly sessionId: string | undefined
  /** Permanent location: a path or a blob address. Null if the file is temporary. */
  readonly keptAt: string | null
  /** Removes a temporary file. The caller must call it when done. */
  readonly remove?: () => Promise<void>
  readonly about?: SourceMetadata
  /** The actual URL, if the given one led to another recording. */
  readonly address?: string
}

/** Opens a source for reading. @throws AppError that names the path and what to do */
export type OpenSource = (ref: SourceRef, signal: AbortSignal) => Promise<OpenedSource>
