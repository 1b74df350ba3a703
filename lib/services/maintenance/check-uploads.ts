import { findBlobKey } from "../../storage/blobs/keys.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"

/** Returns the addresses of uploads to which jobs, clips or documents refer and which do not exist. */
export const findMissingUploads = async ({
  store,
  blobs,
}: Pick<Deps, "blobs"> & { readonly store: Pick<Store, "uploads"> }): Promise<string[]> => {
  const existing = new Set<string>()
  for await (const { key } of blobs.list("")) existing.add(key)
  return (await store.uploads.listAddresses()).filter((address) => {
    const key = blobs.keyOf(address) === null ? null : findBlobKey(blobs, address)
    return key !== null && !existing.has(key)
  })
}
