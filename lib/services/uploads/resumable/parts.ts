import { messageOf } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import type { Store } from "../../../storage/stores/ports/store.ts"
import type { Deps } from "../../deps.ts"

const PREFIX = "partial/"
/** A younger part may belong to a request that has not recorded it yet. */
const MIN_AGE_MS = 3_600_000

/** Returns a new key for a part of an upload. Two requests that send the same part use different ones. */
export const newPartKey = (uploadId: string): string => `${PREFIX}${uploadId}/${newId()}`

/** Removes the blobs of parts. `removeUnusedParts` removes those for which this fails. */
export const removeParts = async (
  { blobs, log }: Pick<Deps, "blobs" | "log">,
  parts: readonly { readonly key: string }[],
): Promise<void> => {
  for (const { key } of parts)
    await blobs.remove(key).catch((error: unknown) => {
      log.warn({ key, detail: messageOf(error) }, "failed to delete a part of an upload")
    })
}

/** Removes the blobs of parts whose upload has expired, is complete or was removed. Returns their number. */
export const removeUnusedParts = async (
  deps: Pick<Deps, "blobs" | "log"> & { readonly store: Pick<Store, "resumableUploads"> },
  now = Date.now(),
): Promise<number> => {
  const unused: { readonly key: string }[] = []
  for await (const { key, modifiedAt } of deps.blobs.list(PREFIX)) {
    const upload = await deps.store.resumableUploads.get(key.split("/")[1] ?? "")
    if ((upload === null || upload.file !== null) && now - modifiedAt >= MIN_AGE_MS) unused.push({ key })
  }
  await removeParts(deps, unused)
  return unused.length
}
