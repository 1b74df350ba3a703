import { startChild } from "../../../platform/processes/child.ts"
import { decodeError, INPUT_LIMITS, requireProgram } from "./ffmpeg.ts"

export type CutOptions = {
  readonly path: string
  /** In seconds from the start of the recording. */
  readonly start_s: number
  readonly duration_s: number
  /** The file to write. */
  readonly target: string
  readonly signal: AbortSignal
}

/**
 * Writes a part of a recording as a mono MP3 file of 64 kbit/s, which every browser plays.
 * @throws AppError `capability_missing` without ffmpeg, `unsupported_media` if the recording cannot be decoded
 */
export const cutAudio = async ({ path, start_s, duration_s, target, signal }: CutOptions): Promise<void> => {
  const ffmpeg = await requireProgram("ffmpeg")
  const range = ["-ss", start_s.toFixed(3), "-t", duration_s.toFixed(3)]
  const form = ["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-ac", "1", "-b:a", "64k", "-f", "mp3"]
  const child = startChild(
    ffmpeg,
    ["-nostdin", "-v", "error", ...INPUT_LIMITS, ...range, "-i", `file:${path}`, ...form, "-y", `file:${target}`],
    { signal },
  )
  child.stdout.resume()
  const end = await child.end
  signal.throwIfAborted()
  if (end.code !== 0) throw decodeError(path, end)
}
