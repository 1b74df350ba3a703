/** An upload that a client sends in several requests. Times in Unix milliseconds. */
export type ResumableUpload = {
  readonly id: string
  /** The name of the file. */
  readonly name: string
  /** The metadata as the client sent it. */
  readonly metadata: string
  /** In bytes. */
  readonly size: number
  /** The number of bytes that are stored. */
  readonly offset: number
  /** The complete file, once its parts are joined. */
  readonly file: { readonly address: string; readonly sha256: string } | null
  readonly expiresAt: number
}

/** A stored part of a file. */
export type UploadPart = {
  /** The position of the first byte in the file. */
  readonly start: number
  readonly bytes: number
  /** The key of the blob. */
  readonly key: string
}

type Lifetime = { readonly lifetimeMs: number }

/** Stores the state of resumable uploads. An expired upload is unknown. */
export interface ResumableUploadStore {
  create(
    upload: Pick<ResumableUpload, "id" | "name" | "metadata" | "size">,
    lifetime: Lifetime,
  ): Promise<ResumableUpload>
  /** Returns null for an unknown upload. */
  get(id: string): Promise<ResumableUpload | null>
  /**
   * Appends a part and extends the life of the upload. Returns the new state, or null with nothing written if the upload is
   * unknown or the part does not start where the stored ones end.
   */
  addPart(id: string, part: UploadPart, lifetime: Lifetime): Promise<ResumableUpload | null>
  /** Lists the parts in their order. */
  listParts(id: string): Promise<UploadPart[]>
  /** Stores the address of the complete file and forgets the parts. Does nothing for an unknown upload. */
  finish(id: string, file: NonNullable<ResumableUpload["file"]>): Promise<void>
  /** Forgets an upload and its parts. Returns false for an unknown upload. */
  remove(id: string): Promise<boolean>
  /** Forgets expired uploads and their parts. Returns their number. */
  removeExpired(): Promise<number>
}
