import { SAMPLE_RATE } from "./decode.ts"

/** A stretch of sound with the place where it begins, in samples from the start of the recording. */
export type Chunk = {
  readonly at: number
  readonly pcm: Int16Array
  /** True when it holds nothing that could be speech. */
  readonly silent: boolean
}

export type ChunkLimits = { readonly min_s: number; readonly max_s: number }

/** Length of the frames whose loudness is compared: 20 ms. */
const FRAME = SAMPLE_RATE / 50
/** A pause is judged over so many frames on either side: 300 ms in all. */
const REACH = 7
/** Root mean square, of 32768, below which a frame is silence: -60 dB of full scale. */
const SILENCE = 32

/** Mean square of each 20 ms frame. */
const energies = (pcm: Int16Array | Float32Array): Float64Array => {
  const frames = new Float64Array(Math.floor(pcm.length / FRAME))
  for (let f = 0; f < frames.length; f++) {
    let sum = 0
    for (let i = f * FRAME; i < (f + 1) * FRAME; i++) sum += pcm[i]! * pcm[i]!
    frames[f] = sum / FRAME
  }
  return frames
}

/** The sample in the middle of the quietest 300 ms of [from, to), the later one of equals. */
const quietest = (energy: Float64Array, from: number, to: number): number => {
  let sum = 0
  for (let f = from - REACH; f < from + REACH; f++) sum += energy[f]!
  let least = Number.POSITIVE_INFINITY
  let cut = to
  for (let f = from; f + REACH < to; f++) {
    sum += energy[f + REACH]!
    if (sum <= least) {
      least = sum
      cut = f
    }
    sum -= energy[f - REACH]!
  }
  return cut * FRAME + FRAME / 2
}

/** The sample, at or after `min`, in the middle of the quietest 300 ms of a piece of sound at 16 kHz. */
export const quietestPlace = (pcm: Float32Array, min: number): number => {
  const energy = energies(pcm)
  return quietest(energy, Math.max(REACH, Math.round(min / FRAME)), energy.length)
}

const chunkOf = (at: number, pcm: Int16Array, energy: Float64Array): Chunk => ({
  at,
  pcm,
  silent: energy.every((e) => e < SILENCE ** 2) && pcm.length >= FRAME,
})

/**
 * Cuts a stream of samples at its pauses into chunks of min_s to max_s seconds (the last may be shorter), without gap
 * or overlap. Pause-aligned segments of at most 30 s are recognised better than a fixed grid or whole recordings.
 */
export async function* cutAtPauses(blocks: AsyncIterable<Int16Array>, limits: ChunkLimits): AsyncGenerator<Chunk> {
  const max = Math.round(limits.max_s * SAMPLE_RATE)
  const minFrame = Math.max(REACH, Math.round((limits.min_s * SAMPLE_RATE) / FRAME))
  let buffer = new Int16Array(2 * max)
  let length = 0
  let at = 0
  const take = (samples: number): Chunk => {
    const pcm = buffer.slice(0, samples)
    const chunk = chunkOf(at, pcm, energies(pcm))
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
      const energy = energies(buffer.subarray(0, max))
      yield take(quietest(energy, minFrame, energy.length))
    }
  }
  if (length > 0) yield take(length)
}
