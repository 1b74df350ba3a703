import { AppError } from "../../domain/errors.ts"
import { hashOfKey } from "./keys.ts"
import type { BlobStore } from "./types.ts"

export type BlobCopy = { readonly copied: number; readonly skipped: number; readonly bytes: number }

/**
 * Copies the blobs that the target lacks, one at a time, and verifies each against the hash in its key. An interrupted copy
 * can be repeated. Removes nothing from the source.
 * @throws AppError `conflict` if the content of a blob does not match its key
 */
export const copyBlobs = async (
  from: BlobStore,
  to: BlobStore,
  onProgress: (done: BlobCopy, key: string) => void,
): Promise<BlobCopy> => {
  let done: BlobCopy = { copied: 0, skipped: 0, bytes: 0 }
  for await (const { key, bytes } of from.list("")) {
    const hash = hashOfKey(key)
    // Ignore files that Earmark did not write.
    if (hash === null) continue
    const existing = await to.stat(key)
    if (existing?.bytes === bytes) done = { ...done, skipped: done.skipped + 1 }
    else {
      const blob = await from.open(key)
      if (!blob) continue
      const empty = blob.bytes === 0
      if (empty) await blob.close()
      const source = empty ? emptySource() : (blob.read({ start: 0, end: blob.bytes - 1 }) as AsyncIterable<Uint8Array>)
      const incoming = await to.receive(source, { maxBytes: blob.bytes })
      if (incoming.sha256 !== hash) {
        await incoming.discard()
        throw new AppError(
          "conflict",
          `Couldn't copy ${from.addressOf(key)}: its content does not match the hash in its name, so it was changed or is damaged. Move it away, then copy again.`,
        )
      }
      if (existing) await to.remove(key)
      await incoming.keep(key)
      done = { ...done, copied: done.copied + 1, bytes: done.bytes + bytes }
    }
    onProgress(done, key)
  }
  return done
}

async function* emptySource(): AsyncGenerator<Uint8Array> {
  yield* []
}
