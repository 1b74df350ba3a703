import { messageOf } from "../../domain/errors.ts"
import { findBlobKey, hashOfKey } from "../../storage/blobs/keys.ts"
import type { BlobInfo } from "../../storage/blobs/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { withUploadLock } from "./upload-lock.ts"

type UploadDeps = Pick<Deps, "blobs" | "log" | "index"> & { readonly store: Pick<Store, "outbox" | "uploads"> | null }

/** A younger upload may belong to a request that has not inserted its job yet. */
const MIN_AGE_MS = 3_600_000

/** Returns true if a job, a clip or a document refers to an upload. */
const isReferenced = async ({ store, index, blobs }: UploadDeps, key: string): Promise<boolean> => {
  const addresses = store
    ? await store.uploads.listAddresses(hashOfKey(key) ?? key)
    : (await index.listFiles()).map((file) => file.source)
  return addresses.some((address) => findBlobKey(blobs, address) === key)
}

/** Removes an upload unless something refers to it. Returns whether it removed it. The caller holds its lock. */
export const removeIfUnused = async (deps: UploadDeps, key: string): Promise<boolean> => {
  if (await isReferenced(deps, key)) return false
  await deps.blobs.remove(key)
  return true
}

/** Removes uploads that nothing refers to any more. Logs an error, because whatever referred to them is deleted already. */
export const removeUnusedUploads = async (deps: UploadDeps, addresses: readonly string[]): Promise<void> => {
  for (const address of addresses) {
    const key = findBlobKey(deps.blobs, address)
    if (key === null) continue
    await withUploadLock(deps.store, key, () => removeIfUnused(deps, key)).catch((error: unknown) => {
      deps.log.warn({ path: address, detail: messageOf(error) }, "failed to delete an upload")
    })
  }
}

/** Lists the uploads to which no job, clip or document refers, for example after a crash between two steps. */
export async function* findUnusedUploads(
  deps: UploadDeps & { readonly store: Pick<Store, "uploads"> },
  now = Date.now(),
): AsyncGenerator<BlobInfo> {
  const used = new Set((await deps.store.uploads.listAddresses()).map((address) => findBlobKey(deps.blobs, address)))
  for await (const blob of deps.blobs.list("")) {
    // Ignores files that Earmark did not write.
    if (hashOfKey(blob.key) === null || used.has(blob.key) || now - blob.modifiedAt < MIN_AGE_MS) continue
    yield blob
  }
}
