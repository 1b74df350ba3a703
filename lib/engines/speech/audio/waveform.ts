import type { Waveform } from "../../../domain/transcript/waveform.ts"
import { type DecodeOptions, decodePcm, SAMPLE_RATE } from "./decode.ts"
import { probeMedia } from "./probe-media.ts"

/** As many slices as a wide screen has pixels. */
const SLICES = 2000
/** Samples of the finest slice: a length that is not known in advance is counted in these, then put together. */
const FINE = SAMPLE_RATE / 20

/** The loudest sample of each slice of 50 ms, 0 to 32 768. */
const finePeaks = async (options: DecodeOptions): Promise<number[]> => {
  const peaks: number[] = []
  let filled = 0
  let loudest = 0
  for await (const block of decodePcm(options))
    for (const sample of block) {
      const size = sample < 0 ? -sample : sample
      if (size > loudest) loudest = size
      if (++filled < FINE) continue
      peaks.push(loudest)
      filled = 0
      loudest = 0
    }
  if (filled > 0) peaks.push(loudest)
  return peaks
}

/**
 * How loud a recording is over its time, decoded once from end to end; some tens of kilobytes are in memory at a time.
 * The root of the share of the loudest moment, so that quiet speech is still seen.
 * @throws AppError as `decodePcm`
 */
export const computeWaveform = async (path: string, most_s: number, signal: AbortSignal): Promise<Waveform> => {
  const { duration_s } = await probeMedia(path, signal, most_s)
  const fine = await finePeaks({ path, declared_s: duration_s, most_s, signal })
  const count = Math.min(SLICES, fine.length)
  const coarse = Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * fine.length) / count)
    const to = Math.max(from + 1, Math.floor(((i + 1) * fine.length) / count))
    return fine.slice(from, to).reduce((a, b) => Math.max(a, b), 0)
  })
  const top = Math.max(1, ...coarse)
  return {
    duration_s: (fine.length * FINE) / SAMPLE_RATE,
    peaks: coarse.map((peak) => Math.round(255 * Math.sqrt(peak / top))),
  }
}
