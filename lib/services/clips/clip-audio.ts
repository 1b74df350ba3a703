import type { Readable } from "node:stream"
import { AppError } from "../../domain/errors.ts"
import { mediaTypeOf } from "../../sources/media-type.ts"
import { detectContainer, openRecording } from "../../sources/open.ts"
import { blobKey } from "../../storage/blobs/keys.ts"
import type { LocalBlob } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"
import { type ClipRef, getClip } from "./get-clip.ts"

const CHUNK = 256 * 1024

/** An opened recording: read once at most; who does not read it closes it. Bytes and milliseconds. */
export type ClipAudio = {
  readonly size: number
  readonly mtimeMs: number
  readonly type: string
  /** From `start` to `end`, both included. */
  read(range: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
  /** Where players may be sent instead, if the settings say so; null: nowhere. */
  link(): Promise<string | null>
  /** The recording as a file of this machine. */
  file(signal: AbortSignal): Promise<LocalBlob>
}

const lost = (address: string, place: string): AppError =>
  new AppError("not_found", `no such file: ${address} (recordings that were sent lie in ${place})`)

/**
 * Opens the recording of a clip, wherever it lies. Of a caller's own file that is checked anew: the folders that may be
 * read can be others by now, and so can what the path leads to.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `forbidden` outside the folders
 */
export const openClipAudio = async (deps: Deps, ref: ClipRef): Promise<ClipAudio> => {
  const { file_path: address } = await getClip(deps, ref)
  if (address === null)
    throw new AppError("not_found", `clip '${ref.id}' has no recording here: its words were given or fetched`)
  const { blobs, config } = deps
  const key = blobKey(blobs, address)
  const blob = key === null ? null : await blobs.open(key)
  if (key !== null && blob)
    try {
      const type = mediaTypeOf(detectContainer(blob.head, address), blob.head)
      const { bytes: size, modifiedAt: mtimeMs, read, close } = blob
      const file = (signal: AbortSignal) => blobs.file(key, { dir: config.data.tempDir, signal })
      const link = async () => (config.blobs.redirect ? blobs.link(key, type) : null)
      return { size, mtimeMs, type, read, close, link, file }
    } catch (error) {
      await blob.close()
      throw error
    }
  // What was sent is nowhere else; an address of that form may be a caller's own file.
  if (address.startsWith("s3:") || blobs.keyOf(address) !== null) throw lost(address, blobs.place)
  const { file, path, size, mtimeMs, format, head } = await openRecording(address, { allowed: config.roots })
  return {
    size,
    mtimeMs,
    type: mediaTypeOf(format, head),
    read: ({ start, end }) => file.createReadStream({ start, end, highWaterMark: CHUNK }),
    close: () => file.close(),
    link: async () => null,
    file: async () => ({ path }),
  }
}

/** The origin that players are sent to by `link`, for the policy of the pages; null: they stay here. */
export const linkOrigin = async ({ blobs, config }: Pick<Deps, "blobs" | "config">): Promise<string | null> => {
  const link = config.blobs.redirect ? await blobs.link("any", "audio/wav") : null
  return link === null ? null : new URL(link).origin
}
