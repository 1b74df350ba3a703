/** An uploaded recording. `path` is its address in the blob storage, `sha256` the hash of its bytes in hex. */
export type ReceivedFile = { readonly path: string; readonly name: string; readonly sha256: string }
