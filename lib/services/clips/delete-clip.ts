import { blobKey } from "../../storage/blobs/keys.ts"
import type { Deps } from "../deps.ts"
import { requireBlobs, requireStore } from "../installation/require.ts"
import { type ClipRef, unknownClip } from "./get-clip.ts"

/**
 * Removes a clip, all that was made of it, and the recording if it was uploaded; of a recording that was never heard,
 * its runs. A file that lies where its owner put it is never touched. Nothing is removed while the place of the recording
 * is away: whoever asks again later finds all of it.
 * @throws AppError `not_found`, `conflict` while one of its jobs runs, `unavailable`
 */
export const deleteClip = async (deps: Deps, { id }: ClipRef): Promise<void> => {
  const store = requireStore(deps)
  const clip = await store.clips.get(id)
  // Of one that was never heard only its runs know what was sent.
  if (clip === null || (clip.file_path !== null && blobKey(deps.blobs, clip.file_path) !== null))
    await requireBlobs(deps)
  const deleted = await store.clips.delete(id)
  if (deleted === null) throw unknownClip(id)
  for (const path of deleted.uploads) {
    const key = blobKey(deps.blobs, path)
    if (key === null) continue
    await deps.blobs.remove(key).catch((err: unknown) => {
      // It was there a moment ago, and the clip is gone either way; what stays is for whoever keeps the disk.
      deps.log.warn({ err, path }, "an uploaded recording could not be removed")
    })
  }
}
