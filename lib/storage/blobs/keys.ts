import type { BlobStore } from "./types.ts"

/** The ending to keep bytes under, for programs that look at it: a dot and up to eight letters or digits, or none. */
export const safeExtension = (name: string): string => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? ""

export const recordingKey = (sha256: string, name: string): string => `${sha256}${safeExtension(name)}`

/** Documents keep their own name, under the hash of what they hold. */
export const DOCUMENTS = "documents/"
export const documentKey = (sha256: string, name: string): string => `${DOCUMENTS}${sha256}/${name}`

/** The hash of what a key names, in hex; null for a key of another form. */
export const keyHash = (key: string): string | null =>
  /^(?:documents\/)?([0-9a-f]{64})(?:\/[^/]+|\.[a-z0-9]{1,8})?$/.exec(key)?.[1] ?? null

const TAIL = /\/(documents\/[0-9a-f]{64}\/(?!\.{1,2}$)[^/]+|[0-9a-f]{64}(?:\.[a-z0-9]{1,8})?)$/

/**
 * The key of what an address names: one of this place, or of another one (a folder that was mounted elsewhere, the folder
 * that was copied into a bucket), for a blob is known by its hash wherever it lies. Null for an address of another form.
 */
export const blobKey = (blobs: Pick<BlobStore, "keyOf">, address: string): string | null =>
  blobs.keyOf(address) ?? TAIL.exec(address)?.[1] ?? null
