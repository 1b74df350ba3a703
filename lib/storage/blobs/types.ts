import type { Readable } from "node:stream"

/** A complete upload without a key. Call either `keep` or `discard`, once. */
export type IncomingBlob = {
  /** In hexadecimal. */
  readonly sha256: string
  readonly bytes: number
  /**
   * Stores the blob under a key. Does nothing if the key exists, because a key contains the hash of its content.
   * @returns true if this call created the blob
   */
  keep(key: string): Promise<boolean>
  discard(): Promise<void>
}

export type BlobInfo = {
  readonly key: string
  readonly bytes: number
  /** Unix time in milliseconds. */
  readonly modifiedAt: number
}

/** A blob whose first bytes have been read. Call `read` at most once, or `close`. */
export type OpenBlob = Pick<BlobInfo, "bytes" | "modifiedAt"> & {
  /** Up to 4096 bytes from the start. */
  readonly head: Uint8Array
  /** Streams the bytes from `start` to `end`, both inclusive. */
  read(range: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** A local file with the content of a blob. If `remove` is set, the file is temporary and the caller must remove it. */
export type LocalBlob = { readonly path: string; readonly remove?: () => Promise<void> }

export type ReceiveLimits = {
  readonly maxBytes: number
  /** True if the bytes replace blobs of the same size, so that they do not count towards the quota. */
  readonly isCopy?: boolean
}

/**
 * Stores uploaded recordings and documents. Keys are relative paths that contain the hash of the content (`keys.ts`), so a
 * blob never changes.
 *
 * Methods throw AppError `unavailable` with `retry: "later"` while the storage does not answer, and `storage_full`.
 */
export interface BlobStore {
  readonly kind: "folder" | "s3"
  /** For messages: a path, or `s3://bucket/prefix at host`. */
  readonly location: string
  /** Returns the address that the database and the API use: an absolute path, or `s3://bucket/prefix/key`. */
  addressOf(key: string): string
  /** Returns the key of an address in this store, or null for any other address. */
  keyOf(address: string): string | null
  /**
   * Stores a stream and hashes it. Holds only a few chunks in memory. Removes the data on any error; `sweep` removes what a
   * killed process leaves.
   * @throws AppError `too_large` past `maxBytes`; errors of the source
   */
  receive(source: AsyncIterable<Uint8Array>, limits: ReceiveLimits): Promise<IncomingBlob>
  stat(key: string): Promise<BlobInfo | null>
  /** Returns null if the blob does not exist. */
  open(key: string): Promise<OpenBlob | null>
  /**
   * Provides the blob as a local file: the stored file itself, or a download in `dir`.
   * @throws AppError `not_found`; `storage_full` if `dir` has too little space
   */
  file(key: string, into: { readonly dir: string; readonly signal: AbortSignal }): Promise<LocalBlob>
  /** Returns a URL that grants temporary read access without credentials, or null if the store has none. */
  link(key: string, type: string): Promise<string | null>
  /** Does nothing if the blob does not exist. */
  remove(key: string): Promise<void>
  /** Lists blobs by key prefix, in no particular order. Unfinished uploads are not listed. */
  list(prefix: string): AsyncIterable<BlobInfo>
  /** Checks that the store is writable. Returns a description of the location. @throws AppError */
  check(signal: AbortSignal): Promise<string>
  /** Removes unfinished uploads of dead processes. Returns their number. */
  sweep(): Promise<number>
  close(): void
}
