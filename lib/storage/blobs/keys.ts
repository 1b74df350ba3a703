import type { BlobStore } from "./types.ts"

/** Returns the file extension in lower case, if it is a dot and up to eight letters or digits. Otherwise returns "". */
export const safeExtension = (name: string): string => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? ""

export const recordingKey = (sha256: string, name: string): string => `${sha256}${safeExtension(name)}`

/** Documents keep their file name, in a folder named by their hash. */
export const DOCUMENTS_PREFIX = "documents/"
export const documentKey = (sha256: string, name: string): string => `${DOCUMENTS_PREFIX}${sha256}/${name}`

/** Returns the hexadecimal SHA-256 hash in a key, or null if the key has another form. */
export const hashOfKey = (key: string): string | null =>
  /^(?:documents\/)?([0-9a-f]{64})(?:\/[^/]+|\.[a-z0-9]{1,8})?$/.exec(key)?.[1] ?? null

const KEY_AT_END = /\/(documents\/[0-9a-f]{64}\/(?!\.{1,2}$)[^/]+|[0-9a-f]{64}(?:\.[a-z0-9]{1,8})?)$/

/**
 * Returns the key of a blob address. The address may also be of another location, such as a folder that was mounted
 * elsewhere or copied into a bucket, because the hash identifies the blob. Returns null for an address of another form.
 */
export const findBlobKey = (blobs: Pick<BlobStore, "keyOf">, address: string): string | null =>
  blobs.keyOf(address) ?? KEY_AT_END.exec(address)?.[1] ?? null
