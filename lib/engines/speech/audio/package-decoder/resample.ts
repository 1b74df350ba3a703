/** Zero crossings of the sinc on either side, enough to suppress aliasing. */
const ZERO_CROSSINGS = 12
/** Filter positions between two samples. */
const PHASES = 256

/** Returns the windowed sinc at distance `x` in samples, with a cutoff at `cut` times half the input rate. */
const filterTap = (x: number, cut: number, reach: number): number => {
  if (Math.abs(x) >= reach) return 0
  const phase = Math.PI * x * cut
  const sinc = x === 0 ? 1 : Math.sin(phase) / phase
  return cut * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
}

/**
 * Creates a resampler with a windowed sinc (Hann, 12 crossings; Smith, "Digital Audio Resampling"). Call `feed` for each
 * block in order, then `end`. Rates are in hertz. Input and output have the same duration.
 */
export const createResampler = (from: number, to: number) => {
  const step = from / to
  const cut = Math.min(1, 0.95 / step)
  const reach = ZERO_CROSSINGS / cut
  const half = Math.ceil(reach)
  const width = 2 * half + 1
  const table = new Float32Array((PHASES + 1) * width)
  for (let p = 0; p <= PHASES; p++)
    for (let i = 0; i < width; i++) table[p * width + i] = filterTap(i - half - p / PHASES, cut, reach)

  /** Input samples from `first` on, preceded by silence. */
  let buffer = new Float32Array(half)
  let first = -half
  let produced = 0
  let consumed = 0

  const resampleUntil = (until: number): Float32Array => {
    const count = Math.max(0, Math.ceil((until - produced * step) / step))
    const out = new Float32Array(count)
    for (let n = 0; n < count; n++) {
      const at = (produced + n) * step
      const middle = Math.floor(at)
      const phase = Math.round((at - middle) * PHASES) * width
      const start = middle - half - first
      let sum = 0
      for (let i = 0; i < width; i++) sum += (buffer[start + i] ?? 0) * table[phase + i]!
      out[n] = sum
    }
    produced += count
    const unneeded = Math.max(0, Math.floor(produced * step) - half - first)
    buffer = buffer.slice(unneeded)
    first += unneeded
    return out
  }

  return {
    feed: (samples: Float32Array): Float32Array => {
      consumed += samples.length
      if (from === to) return samples
      const joined = new Float32Array(buffer.length + samples.length)
      joined.set(buffer)
      joined.set(samples, buffer.length)
      buffer = joined
      return resampleUntil(consumed - half)
    },
    end: (): Float32Array => (from === to ? new Float32Array(0) : resampleUntil(consumed)),
  }
}
