import { stat } from "node:fs/promises"
import { text } from "node:stream/consumers"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import { decodeError, INPUT_LIMITS, requireProgram, tooLongError } from "./ffmpeg.ts"
import { hasPackageDecoder } from "./package-decoder/index.ts"

const probeReport = z.object({
  streams: z.array(z.object({ duration: z.string().optional(), sample_rate: z.string().optional() })).default([]),
  format: z.object({ duration: z.string().optional() }).default({}),
})

/** In hertz. No real recording has a lower rate, and a small file with a lower one would take days to process. */
const MIN_SAMPLE_RATE = 1000
/** The lowest bit rate of a speech codec. If a header declares more audio than this allows, it is wrong. */
const MIN_BYTES_PER_SECOND = 50

/**
 * Reads the declared length from a file's header, without decoding.
 * @param maxDuration_s the maximum length in seconds
 * @returns the length in seconds, or null if the header does not contain it
 * @throws AppError `unsupported_media` if there is no audio track or the header cannot be read; `too_large` if both header
 *   and file size indicate a recording that is too long
 */
export const probeMedia = async (
  path: string,
  signal: AbortSignal,
  maxDuration_s = Number.POSITIVE_INFINITY,
): Promise<{ duration_s: number | null }> => {
  // Without ffprobe, length and missing audio only show during decoding.
  if ((await findProgram("ffprobe")) === null && hasPackageDecoder()) return { duration_s: null }
  const show = ["-select_streams", "a:0", "-show_entries", "stream=duration,sample_rate:format=duration", "-of", "json"]
  const child = startChild(await requireProgram("ffprobe"), ["-v", "error", ...INPUT_LIMITS, ...show, `file:${path}`], {
    signal,
  })
  const [out, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  if (end.code !== 0) throw decodeError(path, end)
  const { streams, format } = probeReport.parse(JSON.parse(out))
  if (streams.length === 0)
    throw new AppError(
      "unsupported_media",
      `Couldn't read ${path}: the file has no audio track. Choose a recording with sound.`,
    )
  const rate = Number(streams[0]?.sample_rate ?? Number.NaN)
  if (rate > 0 && rate < MIN_SAMPLE_RATE)
    throw new AppError(
      "unsupported_media",
      `Couldn't read ${path}: a sample rate of ${rate} Hz is too low for audio. Convert it to wav or mp3 at 16 kHz or more.`,
    )
  const declared = Number(streams[0]?.duration ?? format.duration)
  if (declared > maxDuration_s && (await stat(path)).size > maxDuration_s * MIN_BYTES_PER_SECOND)
    throw tooLongError(path, maxDuration_s)
  return { duration_s: Number.isFinite(declared) && declared > 0 ? declared : null }
}

const tagReport = z.object({
  format: z.object({ tags: z.record(z.string(), z.string()).default({}) }).default({ tags: {} }),
})

/** Returns the title from a recording's tags, or null if it has none or ffprobe is not installed. */
export const readMediaTitle = async (path: string, signal: AbortSignal): Promise<string | null> => {
  const program = await findProgram("ffprobe")
  if (program === null) return null
  const child = startChild(
    program,
    ["-v", "error", ...INPUT_LIMITS, "-show_entries", "format_tags=title", "-of", "json", `file:${path}`],
    { signal },
  )
  const [out, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  if (end.code !== 0) return null
  const parsed = tagReport.safeParse(JSON.parse(out))
  const title = Object.entries(parsed.data?.format.tags ?? {}).find(([name]) => name.toLowerCase() === "title")?.[1]
  return title?.trim() || null
}
