import type { Readable } from "node:stream"

/** Bytes that have arrived whole and are not to be seen under any key yet: they are kept or discarded, once. */
export type IncomingBlob = {
  /** Hex. */
  readonly sha256: string
  readonly bytes: number
  /** Gives them their key. What is there already stays: a key tells the hash of what it holds. */
  keep(key: string): Promise<void>
  discard(): Promise<void>
}

export type BlobInfo = {
  readonly key: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number
}

/** A blob whose first bytes have been read. It is read once at most; who does not read it closes it. */
export type OpenBlob = Pick<BlobInfo, "bytes" | "modifiedAt"> & {
  /** The first 4096 bytes, or all where there are fewer. */
  readonly head: Uint8Array
  /** Bytes from `start` to `end`, both included. */
  read(range: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
}

/** A file of this machine that holds a blob. With `remove` it was fetched for this reading, and its reader removes it. */
export type LocalBlob = { readonly path: string; readonly remove?: () => Promise<void> }

/**
 * Where recordings and documents lie that were sent here. Keys are relative paths that begin with the hash of what they
 * hold (`keys.ts`), so that a blob never changes under its key.
 *
 * Every method throws AppError: `unavailable` with `retry: "later"` while the place does not answer, `storage_full`.
 */
export interface BlobStore {
  readonly kind: "folder" | "s3"
  /** For people: a path, or `s3://bucket/prefix at host`. */
  readonly place: string
  /** How a key is named in the database and to callers: an absolute path, or `s3://bucket/prefix/key`. */
  addressOf(key: string): string
  /** The key that an address of this place names; null for any other address. */
  keyOf(address: string): string | null
  /**
   * Takes bytes in as they come, hashed on the way; a few chunks are in memory, whatever their number. Whatever goes
   * wrong, nothing is left (but for what `sweep` finds).
   * @throws AppError `too_large` past `maxBytes`; what the source throws
   */
  receive(source: AsyncIterable<Uint8Array>, limits: { readonly maxBytes: number }): Promise<IncomingBlob>
  stat(key: string): Promise<BlobInfo | null>
  /** Null where there is no such blob. */
  open(key: string): Promise<OpenBlob | null>
  /**
   * The blob as a file of this machine: where it lies, or fetched into `dir` as a stream.
   * @throws AppError `not_found`; `storage_full` where `dir` has no room for it
   */
  file(key: string, into: { readonly dir: string; readonly signal: AbortSignal }): Promise<LocalBlob>
  /** An address from which whoever has it may read the blob for a while; null where there are none. */
  link(key: string, type: string): Promise<string | null>
  /** One that is not there is removed already. */
  remove(key: string): Promise<void>
  /** What has a key that begins so; in no certain order. What is on its way has none. */
  list(prefix: string): AsyncIterable<BlobInfo>
  /** Tries to write. @returns what to tell about the place @throws AppError with what to do */
  check(signal: AbortSignal): Promise<string>
  /** Removes what processes that are gone left half received. Returns how many that were. */
  sweep(): Promise<number>
  close(): void
}
