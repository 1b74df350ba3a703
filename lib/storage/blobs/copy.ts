import { AppError } from "../../domain/errors.ts"
import { keyHash } from "./keys.ts"
import type { BlobStore } from "./types.ts"

export type BlobCopy = { readonly copied: number; readonly there: number; readonly bytes: number }

/**
 * Copies every blob that is not there yet, one after the other as a stream, and compares each with the hash that its key
 * tells. What was interrupted goes on where it was; nothing is removed.
 * @throws AppError `conflict` for a blob that holds other bytes than its key says
 */
export const copyBlobs = async (
  from: BlobStore,
  to: BlobStore,
  onProgress: (done: BlobCopy, key: string) => void,
): Promise<BlobCopy> => {
  let done: BlobCopy = { copied: 0, there: 0, bytes: 0 }
  for await (const { key, bytes } of from.list("")) {
    const hash = keyHash(key)
    // What somebody else put there is none of ours.
    if (hash === null) continue
    const known = await to.stat(key)
    if (known?.bytes === bytes) done = { ...done, there: done.there + 1 }
    else {
      const blob = await from.open(key)
      if (!blob) continue
      const empty = blob.bytes === 0
      if (empty) await blob.close()
      const source = empty ? nothing() : (blob.read({ start: 0, end: blob.bytes - 1 }) as AsyncIterable<Uint8Array>)
      const incoming = await to.receive(source, { maxBytes: blob.bytes })
      if (incoming.sha256 !== hash) {
        await incoming.discard()
        throw new AppError(
          "conflict",
          `${from.addressOf(key)} does not hold what its name says: it was changed or is damaged. Move it away, then copy again.`,
        )
      }
      if (known) await to.remove(key)
      await incoming.keep(key)
      done = { ...done, copied: done.copied + 1, bytes: done.bytes + bytes }
    }
    onProgress(done, key)
  }
  return done
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* []
}
