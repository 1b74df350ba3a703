import type { Waveform } from "../../domain/transcript/waveform.ts"
import { withDisplayName } from "../../sources/display-name.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { type ClipAudio, openClipAudio } from "./clip-audio.ts"
import type { ClipRef } from "./get-clip.ts"

/** One decoding a file at a time in this process: a second page that asks waits for the first. */
const making = new Map<string, Promise<Waveform>>()

/**
 * The waveform of a clip's recording: decoded once for each version of the file, then kept.
 * @throws AppError `not_found` for an unknown clip or one without a recording, `capability_missing` without ffmpeg
 */
export const getWaveform = async (deps: Deps, ref: ClipRef, signal: AbortSignal): Promise<Waveform> => {
  const store = requireStore(deps)
  const audio = await openClipAudio(deps, ref)
  await audio.close()
  const { size, mtimeMs } = audio
  const stamp = `${size}-${Math.round(mtimeMs)}`
  const kept = await store.clips.getWaveform(ref.id, stamp)
  if (kept) return kept
  const key = `${ref.id} ${stamp}`
  const running = making.get(key) ?? make(deps, ref, audio, stamp).finally(() => making.delete(key))
  making.set(key, running)
  // Who leaves does not stop it for the others: it is kept, and was asked for.
  signal.throwIfAborted()
  return running
}

const TIMEOUT_MS = 10 * 60_000

const make = async (deps: Deps, { id }: ClipRef, audio: ClipAudio, stamp: string): Promise<Waveform> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { path, remove } = await audio.file(signal)
  try {
    const waveform = await deps.engines.speech.computeWaveform(path, signal)
    await requireStore(deps).clips.saveWaveform(id, stamp, waveform)
    return waveform
  } catch (error) {
    const title = (await requireStore(deps).clips.get(id))?.title
    throw withDisplayName(error, path, title ?? "the recording")
  } finally {
    await remove?.()
  }
}
