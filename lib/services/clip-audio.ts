import type { FileHandle } from "node:fs/promises"
import { AppError } from "../errors.ts"
import { mediaTypeOf } from "../sources/media-type.ts"
import { openRecording } from "../sources/open.ts"
import type { Deps } from "./deps.ts"
import { type ClipRef, getClip } from "./get-clip.ts"

/** An opened recording: whoever gets it closes `file`. Bytes and milliseconds. */
export type ClipAudio = {
  readonly file: FileHandle
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  readonly type: string
}

/**
 * Opens the recording of a clip. Where it lies is checked anew: the folders that may be read can be others by now, and
 * so can what the path leads to.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `forbidden` outside the folders
 */
export const openClipAudio = async (deps: Deps, ref: ClipRef): Promise<ClipAudio> => {
  const { file_path: path } = await getClip(deps, ref)
  if (path === null)
    throw new AppError("not_found", `clip '${ref.id}' has no recording here: its words were given or fetched`)
  const allowed = [...deps.config.roots, deps.config.data.uploadsDir]
  const { file, path: real, size, mtimeMs, format, head } = await openRecording(path, { allowed })
  return { file, path: real, size, mtimeMs, type: mediaTypeOf(format, head) }
}
