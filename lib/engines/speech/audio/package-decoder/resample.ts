/** Zero crossings of the sinc on either side: enough that nothing above half the rate is heard back below it. */
const CROSSINGS = 12
/** Places between two samples at which the filter is known. */
const PHASES = 256

/** Windowed sinc at `x` samples from its middle, for a band that ends at `cut` of half the rate. */
const tap = (x: number, cut: number, reach: number): number => {
  if (Math.abs(x) >= reach) return 0
  const phase = Math.PI * x * cut
  const sinc = x === 0 ? 1 : Math.sin(phase) / phase
  return cut * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
}

/**
 * Changes the rate of a stream of samples by a windowed sinc (Hann, 12 crossings; Smith, "Digital Audio Resampling").
 * Feed blocks in order, then `end`. Rates in hertz; the output has as many seconds as the input.
 */
export const createResampler = (from: number, to: number) => {
  const step = from / to
  const cut = Math.min(1, 0.95 / step)
  const reach = CROSSINGS / cut
  const half = Math.ceil(reach)
  const width = 2 * half + 1
  const table = new Float32Array((PHASES + 1) * width)
  for (let p = 0; p <= PHASES; p++)
    for (let i = 0; i < width; i++) table[p * width + i] = tap(i - half - p / PHASES, cut, reach)

  /** Samples from `first` on; silence before the beginning. */
  let kept = new Float32Array(half)
  let first = -half
  let given = 0
  let taken = 0

  const emit = (until: number): Float32Array => {
    const count = Math.max(0, Math.ceil((until - given * step) / step))
    const out = new Float32Array(count)
    for (let n = 0; n < count; n++) {
      const at = (given + n) * step
      const middle = Math.floor(at)
      const phase = Math.round((at - middle) * PHASES) * width
      const start = middle - half - first
      let sum = 0
      for (let i = 0; i < width; i++) sum += (kept[start + i] ?? 0) * table[phase + i]!
      out[n] = sum
    }
    given += count
    const away = Math.max(0, Math.floor(given * step) - half - first)
    kept = kept.slice(away)
    first += away
    return out
  }

  return {
    feed: (samples: Float32Array): Float32Array => {
      taken += samples.length
      if (from === to) return samples
      const joined = new Float32Array(kept.length + samples.length)
      joined.set(kept)
      joined.set(samples, kept.length)
      kept = joined
      return emit(taken - half)
    },
    end: (): Float32Array => (from === to ? new Float32Array(0) : emit(taken)),
  }
}
