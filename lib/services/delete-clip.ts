import { blobKey } from "../blobs/keys.ts"
import type { Deps } from "./deps.ts"
import { type ClipRef, unknownClip } from "./get-clip.ts"
import { requireStore } from "./require.ts"

/**
 * Removes a clip, all that was made of it, and the recording if it was uploaded; of a recording that was never heard,
 * its runs. A file that lies where its owner put
 * it is never touched.
 * @throws AppError `not_found`, or `conflict` while one of its jobs runs
 */
export const deleteClip = async (deps: Deps, { id }: ClipRef): Promise<void> => {
  const deleted = await requireStore(deps).deleteClip(id)
  if (deleted === null) throw unknownClip(id)
  for (const path of deleted.uploads) {
    const key = blobKey(deps.blobs, path)
    if (key === null) continue
    await deps.blobs.remove(key).catch((err: unknown) => {
      // The clip is gone either way; a file that cannot be removed is for whoever keeps the disk.
      deps.log.warn({ err, path }, "an uploaded recording could not be removed")
    })
  }
}
