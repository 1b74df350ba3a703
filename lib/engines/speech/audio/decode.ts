import type { Readable } from "node:stream"
import { AppError } from "../../../domain/errors.ts"
import { startChild } from "../../../platform/processes/child.ts"
import { findProgram } from "../../../platform/processes/find-program.ts"
import { INPUT_LIMITS, lastLine, notReadable, programOf, tooLong } from "./ffmpeg.ts"
import { hasPlainDecoder, plainDecoder } from "./package-decoder/index.ts"

/** Samples a second of everything that engines get. */
export const SAMPLE_RATE = 16_000
/** A decoder that gives nothing for so long is stuck. */
const STALL_MS = 120_000

export type DecodeOptions = {
  readonly path: string
  /** Length that the header declares, in seconds; null: unknown. */
  readonly declared_s: number | null
  /** Seconds after which it is refused; left out: any length. */
  readonly most_s?: number
  readonly signal: AbortSignal
}

/** Whole samples from a stream of bytes; an odd byte waits for its other half. */
async function* samplesOf(stream: Readable): AsyncGenerator<Int16Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const data of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, data]) : data
    const whole = bytes.length - (bytes.length % 2)
    rest = bytes.subarray(whole)
    const samples = new Int16Array(whole / 2)
    // The decoder writes what every machine that Node.js runs on has in memory: the low byte first.
    bytes.copy(new Uint8Array(samples.buffer), 0, 0, whole)
    yield samples
  }
}

/** ffmpeg, or where it is missing the decoder that came by npm. */
const decoderFor = async (path: string): Promise<{ command: string; args: string[] }> => {
  const ffmpeg = await findProgram("ffmpeg")
  if (ffmpeg === null && hasPlainDecoder()) return plainDecoder(path)
  const form = ["-map", "0:a:0", "-vn", "-sn", "-dn", "-ac", "1", "-ar", String(SAMPLE_RATE), "-f", "s16le", "pipe:1"]
  const args = ["-nostdin", "-v", "error", ...INPUT_LIMITS, "-i", `file:${path}`, ...form]
  return { command: ffmpeg ?? (await programOf("ffmpeg")), args }
}

/**
 * Decodes a file's first audio track to 16 kHz mono, 16 bit, as it is asked for: some tens of kilobytes are in memory
 * at a time, whatever the length. Leaving the loop early ends the decoder.
 * @throws AppError `unsupported_media` for a file without sound, a broken one, or one that ends too early, `too_large`
 * for one that is too long.
 */
export async function* decodePcm({ path, declared_s, most_s, signal }: DecodeOptions): AsyncGenerator<Int16Array> {
  const { command, args } = await decoderFor(path)
  const child = startChild(command, args, { signal })
  let samples = 0
  let stalled = false
  const stuck = (): NodeJS.Timeout =>
    setTimeout(() => {
      stalled = true
      child.kill()
    }, STALL_MS)
  let timer = stuck()
  try {
    for await (const block of samplesOf(child.stdout)) {
      clearTimeout(timer)
      samples += block.length
      if (most_s !== undefined && samples > most_s * SAMPLE_RATE) throw tooLong(path, most_s)
      yield block
      timer = stuck()
    }
    const end = await child.end
    signal.throwIfAborted()
    if (stalled)
      throw new AppError("unsupported_media", `'${path}' cannot be decoded: nothing came for ${STALL_MS / 1000} s`)
    if (end.code !== 0) throw notReadable(path, end)
    if (samples === 0) throw new AppError("unsupported_media", `'${path}' holds no sound: give a recording that plays`)
    const missing_s = (declared_s ?? 0) - samples / SAMPLE_RATE
    // Some headers only estimate their length, so a short file counts as cut off when the decoder complained too.
    if (end.stderr !== "" && missing_s > Math.max(1, 0.01 * (declared_s ?? 0)))
      throw new AppError(
        "unsupported_media",
        `'${path}' is cut off: it ends after ${Math.round(samples / SAMPLE_RATE)} of ${Math.round(declared_s ?? 0)} s ` +
          `(${lastLine(end.stderr, path)}). Copy or download it again`,
      )
  } finally {
    clearTimeout(timer)
    child.kill()
    await child.end.catch(() => {})
  }
}
