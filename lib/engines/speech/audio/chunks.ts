import { SAMPLE_RATE } from "./decode.ts"

/** A part of a recording. `offset` is its first sample. */
export type Chunk = {
  readonly offset: number
  readonly pcm: Int16Array
  /** True if it is too quiet to contain speech. */
  readonly silent: boolean
}

export type ChunkLimits = { readonly min_s: number; readonly max_s: number }

/** 20 ms. */
const FRAME_LENGTH = SAMPLE_RATE / 50
/** Frames on either side of a candidate cut. Together they span 300 ms. */
const HALF_WINDOW = 7
/** The root mean square below which a frame is silent: -60 dB of full scale (32768). */
const SILENCE_RMS = 32

/** Computes the mean square of each frame. */
const computeEnergies = (pcm: Int16Array | Float32Array): Float64Array => {
  const frames = new Float64Array(Math.floor(pcm.length / FRAME_LENGTH))
  for (let f = 0; f < frames.length; f++) {
    let sum = 0
    for (let i = f * FRAME_LENGTH; i < (f + 1) * FRAME_LENGTH; i++) sum += pcm[i]! * pcm[i]!
    frames[f] = sum / FRAME_LENGTH
  }
  return frames
}

/**
 * Returns the middle sample of the quietest 300 ms in the frames [from, to). Of equally quiet ones it returns the last.
 */
const findQuietest = (energy: Float64Array, from: number, to: number): number => {
  let sum = 0
  for (let f = from - HALF_WINDOW; f < from + HALF_WINDOW; f++) sum += energy[f]!
  let least = Number.POSITIVE_INFINITY
  let cut = to
  for (let f = from; f + HALF_WINDOW < to; f++) {
    sum += energy[f + HALF_WINDOW]!
    if (sum <= least) {
      least = sum
      cut = f
    }
    sum -= energy[f - HALF_WINDOW]!
  }
  return cut * FRAME_LENGTH + FRAME_LENGTH / 2
}

/** Returns the middle sample of the quietest 300 ms that begin at or after sample `min`. Expects 16 kHz. */
export const findQuietestSample = (pcm: Float32Array, min: number): number => {
  const energy = computeEnergies(pcm)
  return findQuietest(energy, Math.max(HALF_WINDOW, Math.round(min / FRAME_LENGTH)), energy.length)
}

const createChunk = (at: number, pcm: Int16Array, energy: Float64Array): Chunk => ({
  offset: at,
  pcm,
  silent: energy.every((e) => e < SILENCE_RMS ** 2) && pcm.length >= FRAME_LENGTH,
})

/**
 * Splits a stream of samples at pauses into chunks of `min_s` to `max_s` seconds, without gaps or overlap. The last chunk
 * may be shorter. Chunks of at most 30 s that end at pauses have lower error rates than a fixed grid or whole recordings.
 */
export async function* cutAtPauses(blocks: AsyncIterable<Int16Array>, limits: ChunkLimits): AsyncGenerator<Chunk> {
  const max = Math.round(limits.max_s * SAMPLE_RATE)
  const minFrame = Math.max(HALF_WINDOW, Math.round((limits.min_s * SAMPLE_RATE) / FRAME_LENGTH))
  let buffer = new Int16Array(2 * max)
  let length = 0
  let at = 0
  const takeChunk = (samples: number): Chunk => {
    const pcm = buffer.slice(0, samples)
    const chunk = createChunk(at, pcm, computeEnergies(pcm))
    buffer.copyWithin(0, samples, length)
    length -= samples
    at += samples
    return chunk
  }
  for await (const block of blocks) {
    if (length + block.length > buffer.length) {
      const larger = new Int16Array(2 * (length + block.length))
      larger.set(buffer.subarray(0, length))
      buffer = larger
    }
    buffer.set(block, length)
    length += block.length
    while (length >= max) {
      const energy = computeEnergies(buffer.subarray(0, max))
      yield takeChunk(findQuietest(energy, minFrame, energy.length))
    }
  }
  if (length > 0) yield takeChunk(length)
}

/** Regroups samples into blocks of `length`, to send fewer messages. The last block may be shorter. */
export async function* regroupBlocks(source: AsyncIterable<Int16Array>, length: number): AsyncGenerator<Int16Array> {
  let block = new Int16Array(length)
  let filled = 0
  for await (const samples of source) {
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + length - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < length) continue
      yield block
      block = new Int16Array(length)
      filled = 0
    }
  }
  if (filled > 0) yield block.slice(0, filled)
}
