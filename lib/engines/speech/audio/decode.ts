import type { Readable } from "node:stream"
import { AppError } from "../../../domain/errors.ts"
import { startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import { decodeError, INPUT_LIMITS, lastErrorLine, requireProgram, tooLongError } from "./ffmpeg.ts"
import { hasPackageDecoder, packageDecoderCommand } from "./package-decoder/index.ts"

/** The sample rate of decoded audio in hertz. */
export const SAMPLE_RATE = 16_000
/** How long a decoder may produce no output. */
const STALL_TIMEOUT_MS = 120_000

export type DecodeOptions = {
  readonly path: string
  /** The length that the header declares, in seconds; null if unknown. */
  readonly declared_s: number | null
  /** The maximum length in seconds; unlimited if omitted. */
  readonly maxDuration_s?: number
  readonly signal: AbortSignal
}

/** Reads 16-bit samples from a stream of bytes whose chunks may end within a sample. */
async function* readSamples(stream: Readable): AsyncGenerator<Int16Array> {
  let partial: Buffer = Buffer.alloc(0)
  for await (const data of stream as AsyncIterable<Buffer>) {
    const bytes = partial.length > 0 ? Buffer.concat([partial, data]) : data
    const whole = bytes.length - (bytes.length % 2)
    partial = bytes.subarray(whole)
    const samples = new Int16Array(whole / 2)
    // The decoder writes little-endian samples, which is the byte order of all platforms that Node.js supports.
    bytes.copy(new Uint8Array(samples.buffer), 0, 0, whole)
    yield samples
  }
}

/** Returns the command of ffmpeg, or of the npm package's decoder if ffmpeg is not installed. */
const chooseDecoder = async (path: string): Promise<{ command: string; args: string[] }> => {
  const ffmpeg = await findProgram("ffmpeg")
  if (ffmpeg === null && hasPackageDecoder()) return packageDecoderCommand(path)
  const form = ["-map", "0:a:0", "-vn", "-sn", "-dn", "-ac", "1", "-ar", String(SAMPLE_RATE), "-f", "s16le", "pipe:1"]
  const args = ["-nostdin", "-v", "error", ...INPUT_LIMITS, "-i", `file:${path}`, ...form]
  return { command: ffmpeg ?? (await requireProgram("ffmpeg")), args }
}

/**
 * Decodes a file's first audio track to 16 kHz, mono, 16 bit. Streams on demand, so memory use does not depend on the
 * length. Leaving the loop early stops the decoder.
 * @throws AppError `unsupported_media` if the file has no audio, cannot be decoded or is truncated; `too_large` if it is
 *   longer than `maxDuration_s`
 */
export async function* decodePcm({
  path,
  declared_s,
  maxDuration_s,
  signal,
}: DecodeOptions): AsyncGenerator<Int16Array> {
  const { command, args } = await chooseDecoder(path)
  const child = startChild(command, args, { signal })
  let samples = 0
  let stalled = false
  const startStallTimer = (): NodeJS.Timeout =>
    setTimeout(() => {
      stalled = true
      child.kill()
    }, STALL_TIMEOUT_MS)
  let timer = startStallTimer()
  try {
    for await (const block of readSamples(child.stdout)) {
      clearTimeout(timer)
      samples += block.length
      if (maxDuration_s !== undefined && samples > maxDuration_s * SAMPLE_RATE) throw tooLongError(path, maxDuration_s)
      yield block
      timer = startStallTimer()
    }
    const end = await child.end
    signal.throwIfAborted()
    if (stalled)
      throw new AppError(
        "unsupported_media",
        `Couldn't decode ${path}: the decoder produced no output for ${STALL_TIMEOUT_MS / 1000} s. Convert it to wav or mp3 and try again.`,
      )
    if (end.code !== 0) throw decodeError(path, end)
    if (samples === 0)
      throw new AppError(
        "unsupported_media",
        `Couldn't read ${path}: the file contains no audio. Choose a recording that plays.`,
      )
    const missing_s = (declared_s ?? 0) - samples / SAMPLE_RATE
    // Some headers only estimate the length, so a short file counts as truncated only if the decoder also reported
    // errors.
    if (end.stderr !== "" && missing_s > Math.max(1, 0.01 * (declared_s ?? 0)))
      throw new AppError(
        "unsupported_media",
        `Couldn't read ${path}: the file is truncated. It ends after ${Math.round(samples / SAMPLE_RATE)} of ${Math.round(declared_s ?? 0)} s ` +
          `(${lastErrorLine(end.stderr, path)}). Copy or download it again.`,
      )
  } finally {
    clearTimeout(timer)
    child.kill()
    await child.end.catch(() => {})
  }
}

/** Returns a message that says what to install if no decoder is available, else null. */
export const missingDecoderMessage = async (): Promise<string | null> => {
  if (hasPackageDecoder()) return null
  try {
    await Promise.all([requireProgram("ffmpeg"), requireProgram("ffprobe")])
    return null
  } catch (error) {
    if (AppError.is(error)) return error.message
    throw error
  }
}
