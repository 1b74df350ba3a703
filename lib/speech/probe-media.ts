import { text } from "node:stream/consumers"
import { z } from "zod"
import { AppError } from "../errors.ts"
import { startChild } from "./child.ts"
import { INPUT_LIMITS, notReadable, programOf } from "./ffmpeg.ts"
import { hasPlainDecoder } from "./plain/index.ts"
import { findProgram } from "./programs.ts"

const report = z.object({
  streams: z.array(z.object({ duration: z.string().optional() })).default([]),
  format: z.object({ duration: z.string().optional() }).default({}),
})

/**
 * Asks the file's header what it holds, without decoding.
 * @returns the declared length in seconds, null when the file does not say.
 * @throws AppError `unsupported_media` when there is no audio track or the header cannot be read.
 */
export const probeMedia = async (path: string, signal: AbortSignal): Promise<{ duration_s: number | null }> => {
  // Without ffprobe the length shows when it is decoded, and so does a file without sound.
  if ((await findProgram("ffprobe")) === null && hasPlainDecoder()) return { duration_s: null }
  const show = ["-select_streams", "a:0", "-show_entries", "stream=duration:format=duration", "-of", "json"]
  const child = startChild(await programOf("ffprobe"), ["-v", "error", ...INPUT_LIMITS, ...show, `file:${path}`], {
    signal,
  })
  const [out, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  if (end.code !== 0) throw notReadable(path, end)
  const { streams, format } = report.parse(JSON.parse(out))
  if (streams.length === 0)
    throw new AppError("unsupported_media", `'${path}' has no audio track: give a recording with sound`)
  const declared = Number(streams[0]?.duration ?? format.duration)
  return { duration_s: Number.isFinite(declared) && declared > 0 ? declared : null }
}
