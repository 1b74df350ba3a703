import type { Readable } from "node:stream"
import { AppError } from "../../domain/errors.ts"
import type { Waveform } from "../../domain/transcript/waveform.ts"
import { detectContainer } from "../../platform/files/detect-format.ts"
import { withDisplayName } from "../../sources/display-name.ts"
import { mediaTypeOf } from "../../sources/media-type.ts"
import { openRecording } from "../../sources/open.ts"
import { findBlobKey } from "../../storage/blobs/keys.ts"
import type { LocalBlob } from "../../storage/blobs/types.ts"
import { type Deps, requireStore } from "../deps.ts"
import { type ClipRef, getClip } from "./clips.ts"

const CHUNK_BYTES = 256 * 1024

/** An open recording. The caller reads it once or closes it. */
export type ClipAudio = {
  /** In bytes. */
  readonly size: number
  readonly mtimeMs: number
  readonly type: string
  /** Streams the bytes from `start` to `end`, both included. */
  read(range: { readonly start: number; readonly end: number }): Readable
  close(): Promise<void>
  /** Returns a URL to which clients can be redirected, or null if the settings do not allow it. */
  link(): Promise<string | null>
  /** Makes the recording available as a local file. */
  file(signal: AbortSignal): Promise<LocalBlob>
}

/**
 * Opens the recording of a clip. The path of a caller's own file is checked again, because the permitted folders or the
 * target of a symbolic link may have changed.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `forbidden` outside the permitted folders
 */
export const openClipAudio = async (deps: Deps, ref: ClipRef): Promise<ClipAudio> => {
  const { file_path: address } = await getClip(deps, ref)
  if (address === null)
    throw new AppError("not_found", `clip '${ref.id}' has no recording: only its transcript is stored`)
  const uploaded = await openUpload(deps, address)
  if (uploaded) return uploaded
  // An address in the form of an upload that is not in the blob storage must not be read as a local file.
  if (address.startsWith("s3:") || deps.blobs.keyOf(address) !== null)
    throw new AppError(
      "not_found",
      `no such file: ${address}. Uploaded recordings are stored in ${deps.blobs.location}.`,
    )
  const { file, path, size, mtimeMs, format, head } = await openRecording(address, { allowed: deps.config.roots })
  return {
    size,
    mtimeMs,
    type: mediaTypeOf(format, head),
    read: ({ start, end }) => file.createReadStream({ start, end, highWaterMark: CHUNK_BYTES }),
    close: () => file.close(),
    link: async () => null,
    file: async () => ({ path }),
  }
}

/** Opens an uploaded recording. Returns null if there is no such upload. */
const openUpload = async ({ blobs, config }: Deps, address: string): Promise<ClipAudio | null> => {
  const key = findBlobKey(blobs, address)
  const blob = key === null ? null : await blobs.open(key)
  if (key === null || blob === null) return null
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
}

/** Returns the origin that `link` redirects to, for the content security policy, or null if it does not redirect. */
export const linkOrigin = async ({ blobs, config }: Pick<Deps, "blobs" | "config">): Promise<string | null> => {
  const link = config.blobs.redirect ? await blobs.link("any", "audio/wav") : null
  return link === null ? null : new URL(link).origin
}

/** Waveforms that this process is computing, so that concurrent requests decode a recording once. */
const computing = new Map<string, Promise<Waveform>>()

/**
 * Returns the waveform of a clip. It is computed once for each version of the recording and then stored.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `capability_missing` without ffmpeg
 */
export const getWaveform = async (deps: Deps, ref: ClipRef, signal: AbortSignal): Promise<Waveform> => {
  const audio = await openClipAudio(deps, ref)
  await audio.close()
  const version = `${audio.size}-${Math.round(audio.mtimeMs)}`
  const stored = await requireStore(deps).clips.getWaveform(ref.id, version)
  if (stored) return stored
  const key = `${ref.id} ${version}`
  const running = computing.get(key) ?? computeWaveform(deps, ref, audio, version).finally(() => computing.delete(key))
  computing.set(key, running)
  // The computation continues if a client disconnects: others may be waiting, and the result is stored.
  signal.throwIfAborted()
  return running
}

const WAVEFORM_TIMEOUT_MS = 10 * 60_000

const computeWaveform = async (deps: Deps, { id }: ClipRef, audio: ClipAudio, version: string): Promise<Waveform> => {
  const { clips } = requireStore(deps)
  const signal = AbortSignal.timeout(WAVEFORM_TIMEOUT_MS)
  const { path, remove } = await audio.file(signal)
  try {
    const waveform = await deps.engines.speech.computeWaveform(path, signal)
    await clips.saveWaveform(id, version, waveform)
    return waveform
  } catch (error) {
    const title = (await clips.get(id))?.title
    throw withDisplayName(error, path, title ?? "the recording")
  } finally {
    await remove?.()
  }
}
