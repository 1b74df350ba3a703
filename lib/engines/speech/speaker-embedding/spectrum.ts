/** Transforms blocks of one length, a power of two, in place: radix 2 with decimation in time (Cooley and Tukey 1965). */
export const createFft = (size: number) => {
  const bits = Math.log2(size)
  const reversed = Uint32Array.from({ length: size }, (_, i) => {
    let [rest, out] = [i, 0]
    for (let bit = 0; bit < bits; bit++, rest >>= 1) out = (out << 1) | (rest & 1)
    return out
  })
  const cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sines = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
  return (re: Float64Array, im: Float64Array): void => {
    for (let i = 0; i < size; i++) {
      const j = reversed[i]!
      if (j <= i) continue
      ;[re[i], re[j]] = [re[j]!, re[i]!]
      ;[im[i], im[j]] = [im[j]!, im[i]!]
    }
    for (let half = 1; half < size; half *= 2)
      for (let start = 0; start < size; start += 2 * half)
        for (let k = 0; k < half; k++) {
          const [w, v] = [cosines[(k * size) / (2 * half)]!, sines[(k * size) / (2 * half)]!]
          const [a, b] = [start + k, start + k + half]
          const [x, y] = [re[b]! * w - im[b]! * v, re[b]! * v + im[b]! * w]
          re[b] = re[a]! - x
          im[b] = im[a]! - y
          re[a]! += x
          im[a]! += y
        }
  }
}

const toMel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700)
const fromMel = (mel: number): number => 700 * (Math.exp(mel / 1127) - 1)

/** Returns the weights of triangular filters whose centers are equally spaced in mel, one row of spectral bins per filter. */
export const melFilters = (
  count: number,
  {
    size,
    rate,
    low,
    high,
  }: { readonly size: number; readonly rate: number; readonly low: number; readonly high: number },
): Float64Array[] => {
  const [from, to] = [toMel(low), toMel(high)]
  const edges = Array.from(
    { length: count + 2 },
    (_, i) => (fromMel(from + ((to - from) * i) / (count + 1)) / rate) * size,
  )
  return Array.from({ length: count }, (_, i) => {
    const [left, center, right] = [edges[i]!, edges[i + 1]!, edges[i + 2]!]
    return Float64Array.from({ length: size / 2 + 1 }, (_, bin) =>
      Math.max(0, Math.min((bin - left) / (center - left), (right - bin) / (right - center))),
    )
  })
}

/** Returns the first rows of the orthonormal discrete cosine transform (DCT-II) of vectors of one length. */
export const cosineRows = (count: number, length: number): Float64Array[] =>
  Array.from({ length: count }, (_, k) =>
    Float64Array.from(
      { length },
      (_, i) => Math.sqrt((k === 0 ? 1 : 2) / length) * Math.cos((Math.PI * k * (i + 0.5)) / length),
    ),
  )
