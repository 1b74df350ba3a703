import { stat } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { z } from "zod"
import { AppError } from "../../../domain/errors.ts"
import { startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import { INPUT_LIMITS, notReadable, programOf, tooLong } from "./ffmpeg.ts"
import { hasPlainDecoder } from "./package-decoder/index.ts"

const report = z.object({
  streams: z.array(z.object({ duration: z.string().optional(), sample_rate: z.string().optional() })).default([]),
  format: z.object({ duration: z.string().optional() }).default({}),
})

/** Hertz: nothing that was recorded has fewer samples a second, and a small file with fewer would last for days. */
const LEAST_RATE = 1000
/** Bytes a second that the longest-winded speech codec writes at least: a header that promises more sound is wrong. */
const LEAST_BYTES = 50

/**
 * Asks the file's header what it holds, without decoding.
 * @param most_s the longest recording that is taken, in seconds
 * @returns the declared length in seconds, null when the file does not say.
 * @throws AppError `unsupported_media` when there is no audio track or the header cannot be read, `too_large` when the
 * recording is too long by its header and by its bytes.
 */
export const probeMedia = async (
  path: string,
  signal: AbortSignal,
  most_s = Number.POSITIVE_INFINITY,
): Promise<{ duration_s: number | null }> => {
  // Without ffprobe the length shows when it is decoded, and so does a file without sound.
  if ((await findProgram("ffprobe")) === null && hasPlainDecoder()) return { duration_s: null }
  const show = ["-select_streams", "a:0", "-show_entries", "stream=duration,sample_rate:format=duration", "-of", "json"]
  const child = startChild(await programOf("ffprobe"), ["-v", "error", ...INPUT_LIMITS, ...show, `file:${path}`], {
    signal,
  })
  const [out, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  if (end.code !== 0) throw notReadable(path, end)
  const { streams, format } = report.parse(JSON.parse(out))
  if (streams.length === 0)
    throw new AppError("unsupported_media", `'${path}' has no audio track: give a recording with sound`)
  const rate = Number(streams[0]?.sample_rate ?? Number.NaN)
  if (rate > 0 && rate < LEAST_RATE)
    throw new AppError(
      "unsupported_media",
      `'${path}' claims ${rate} samples a second, which is no recording of sound: convert it to wav or mp3 at 16 kHz or more`,
    )
  const declared = Number(streams[0]?.duration ?? format.duration)
  if (declared > most_s && (await stat(path)).size > most_s * LEAST_BYTES) throw tooLong(path, most_s)
  return { duration_s: Number.isFinite(declared) && declared > 0 ? declared : null }
}
