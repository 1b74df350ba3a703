import { type FileHandle, mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { createFairQueue } from "../../documents/fair-queue.ts"
import { AppError } from "../../domain/errors.ts"
import type { TimeRange } from "../../domain/export/excerpt.ts"
import { createTempName } from "../../platform/files/temp-files.ts"
import { withDisplayName } from "../../sources/display-name.ts"
import type { Deps } from "../deps.ts"
import { type ClipAudio, openClipAudio } from "./clip-audio.ts"
import { type ClipRef, getClip } from "./clips.ts"

/** Cutting an hour takes 11 s on an idle machine. */
export const MAX_EXCERPT_S = 4 * 3600
const TIMEOUT_MS = 5 * 60_000
const CHUNK_BYTES = 256 * 1024
/** Cut files that are kept for the next request, such as the next range of a player. */
const MAX_FILES = 16

const queue = createFairQueue({
  slots: 2,
  waitMs: 30_000,
  busyMessage: "Other parts of recordings are being cut. Try again later.",
})

/** Cut files of this process by recording, version and range, least recently used first. */
const files = new Map<string, Promise<string>>()

const dropOldest = (): void => {
  for (const [key, file] of files) {
    if (files.size <= MAX_FILES) return
    files.delete(key)
    // Whoever still reads the file keeps it open.
    file.then((path) => rm(path, { force: true })).catch(() => {})
  }
}

const cut = async ({ config, engines }: Deps, audio: ClipAudio, { start_s, end_s }: TimeRange): Promise<string> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const release = await queue.enter({}, signal)
  try {
    const { path, remove } = await audio.file(signal)
    await mkdir(config.data.tempDir, { recursive: true })
    const target = join(config.data.tempDir, createTempName())
    try {
      await engines.speech.cutAudio({ path, start_s, duration_s: end_s - start_s, target, signal })
      return target
    } catch (error) {
      await rm(target, { force: true })
      throw withDisplayName(error, path, "the recording")
    } finally {
      await remove?.()
    }
  } finally {
    release()
  }
}

/** Opens the cut file of a range. */
const openFile = async (deps: Deps, ref: ClipRef, range: TimeRange): Promise<FileHandle> => {
  const audio = await openClipAudio(deps, ref)
  await audio.close()
  const key = `${ref.id} ${audio.size}-${audio.mtimeMs} ${range.start_s}-${range.end_s}`
  const known = files.get(key)
  const path = known ?? cut(deps, audio, range)
  files.delete(key)
  files.set(key, path)
  if (!known) {
    path.catch(() => files.delete(key))
    dropOldest()
  }
  try {
    return await open(/* turbopackIgnore: true */ await path)
  } catch (error) {
    // The file can be missing if the folder for temporary files was emptied, or if it was the oldest of too many.
    files.delete(key)
    if (known && (error as NodeJS.ErrnoException).code === "ENOENT") return openFile(deps, ref, range)
    throw error
  }
}

/**
 * Opens a part of the recording of a clip, as MP3. The part is cut once and kept for a while, so that a player can read it in
 * ranges. Cutting continues if the client disconnects.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `invalid` for a range outside the recording,
 *   `capability_missing` without ffmpeg, `unavailable` if too many parts are being cut
 */
export const openAudioExcerpt = async (
  deps: Deps,
  ref: ClipRef,
  range: TimeRange,
): Promise<Pick<ClipAudio, "size" | "mtimeMs" | "type" | "read" | "close">> => {
  const { duration_s } = await getClip(deps, ref)
  const end_s = Math.min(range.end_s, duration_s)
  if (range.start_s >= end_s)
    throw new AppError(
      "invalid",
      `start_s: must be before end_s and before the end of the recording at ${duration_s} s`,
    )
  if (end_s - range.start_s > MAX_EXCERPT_S)
    throw new AppError("invalid", `end_s: an excerpt has at most ${MAX_EXCERPT_S / 3600} hours`)
  const file = await openFile(deps, ref, { start_s: range.start_s, end_s })
  const { size, mtimeMs } = await file.stat()
  return {
    size,
    mtimeMs,
    type: "audio/mpeg",
    read: ({ start, end }: { readonly start: number; readonly end: number }) =>
      file.createReadStream({ start, end, highWaterMark: CHUNK_BYTES }),
    close: () => file.close(),
  }
}
