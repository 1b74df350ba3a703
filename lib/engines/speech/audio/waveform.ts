import type { Waveform } from "../../../domain/transcript/waveform.ts"
import { type DecodeOptions, decodePcm, SAMPLE_RATE } from "./decode.ts"
import { probeMedia } from "./probe-media.ts"

/** The maximum number of peaks: as many as a wide screen has pixels. */
const MAX_PEAKS = 2000
/** 50 ms. The length is not known in advance, so peaks are computed per 50 ms and then merged. */
const FINE_SLICE_LENGTH = SAMPLE_RATE / 20

/** Computes the loudest sample of each 50 ms, from 0 to 32 768. */
const computeFinePeaks = async (options: DecodeOptions): Promise<number[]> => {
  const peaks: number[] = []
  let filled = 0
  let loudest = 0
  for await (const block of decodePcm(options))
    for (const sample of block) {
      const size = sample < 0 ? -sample : sample
      if (size > loudest) loudest = size
      if (++filled < FINE_SLICE_LENGTH) continue
      peaks.push(loudest)
      filled = 0
      loudest = 0
    }
  if (filled > 0) peaks.push(loudest)
  return peaks
}

/**
 * Decodes a recording as a stream and computes its waveform. Peaks are scaled to the loudest one and compressed by a square
 * root, so that quiet speech stays visible.
 * @throws AppError as `decodePcm`
 */
export const computeWaveform = async (path: string, maxDuration_s: number, signal: AbortSignal): Promise<Waveform> => {
  const { duration_s } = await probeMedia(path, signal, maxDuration_s)
  const fine = await computeFinePeaks({ path, declared_s: duration_s, maxDuration_s, signal })
  const count = Math.min(MAX_PEAKS, fine.length)
  const coarse = Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * fine.length) / count)
    const to = Math.max(from + 1, Math.floor(((i + 1) * fine.length) / count))
    return fine.slice(from, to).reduce((a, b) => Math.max(a, b), 0)
  })
  const top = Math.max(1, ...coarse)
  return {
    duration_s: (fine.length * FINE_SLICE_LENGTH) / SAMPLE_RATE,
    peaks: coarse.map((peak) => Math.round(255 * Math.sqrt(peak / top))),
  }
}
