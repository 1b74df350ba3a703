import { openDotRows } from "../neighbors/simd.ts"
import { randomFrom } from "./random.ts"

const SWEEPS = 6
/** Directions are found on this many rows at most, evenly taken; more would not turn them visibly. */
const SAMPLE = 1024

/**
 * The first principal components, by subspace iteration on the centred data itself, so that no dims × dims matrix is
 * made (Halko, Martinsson, Tropp, "Finding structure with randomness", 2011). Directions without variance give zeros.
 *
 * @param vectors n × dims. @returns scores, n × components, most variance first; the sign of each component is such
 * that its largest score is positive.
 */
export const principalComponents = (vectors: Float32Array, n: number, dims: number, components: number) => {
  const axes = principalAxes(vectors, n, dims, components)
  const mean = columnMeans(vectors, n, dims)
  const out = new Float32Array(n * components)
  axes.forEach((axis, c) => {
    const shift = inner(mean, 0, axis)
    let peak = 0
    for (let i = 0; i < n; i++) {
      const score = inner(vectors, i * dims, axis) - shift
      if (Math.abs(score) > Math.abs(peak) + 1e-9) peak = score
      out[i * components + c] = score
    }
    if (peak < 0) for (let i = c; i < out.length; i += components) out[i] = -out[i]!
  })
  return out
}

/** Orthonormal directions of a sample, or zeros, most variance first. */
const principalAxes = (vectors: Float32Array, n: number, dims: number, components: number): Float32Array[] => {
  const count = Math.min(n, SAMPLE)
  const random = randomFrom(1)
  // A few directions more than asked for make the wanted ones converge sooner.
  const width = Math.min(components + 3, count, dims)
  const sample = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const row = Math.floor((i * n) / count) * dims
    sample.set(vectors.subarray(row, row + dims), i * dims)
  }
  const mean = columnMeans(sample, count, dims)
  for (let i = 0, at = 0; i < count; i++) for (let d = 0; d < dims; d++) sample[at++]! -= mean[d]!
  const rows = openProduct(sample, count, dims)
  const columns = openProduct(transposed(sample, count, dims), dims, count)
  const axes = Array.from({ length: width }, () => Float32Array.from({ length: dims }, () => random() - 0.5))
  orthonormalise(axes)
  let scores = axes.map(rows)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    axes.forEach((axis, c) => {
      axis.set(columns(scores[c]!))
    })
    orthonormalise(axes)
    scores = axes.map(rows)
  }
  const variance = scores.map((score) => inner(score, 0, score))
  return [...variance.keys()]
    .sort((a, b) => variance[b]! - variance[a]!)
    .slice(0, components)
    .map((c) => axes[c]!)
}

/** A matrix of rows × dims as a function of vectors of dims. */
const openProduct = (matrix: Float32Array, rows: number, dims: number) => {
  // The vector is one more row.
  const extended = new Float32Array((rows + 1) * dims)
  extended.set(matrix)
  const dots = openDotRows(extended, rows + 1, dims, rows)
  for (let r = 0; r < rows; r++) dots.others[r] = r
  return (vector: Float32Array): Float32Array => {
    dots.heap.set(vector, rows * dots.stride)
    return dots.run(rows, rows).slice(0, rows)
  }
}

const transposed = (matrix: Float32Array, rows: number, dims: number): Float32Array => {
  const out = new Float32Array(matrix.length)
  for (let r = 0, at = 0; r < rows; r++) for (let d = 0; d < dims; d++) out[d * rows + r] = matrix[at++]!
  return out
}

const columnMeans = (vectors: Float32Array, n: number, dims: number): Float32Array => {
  const sums = new Float64Array(dims)
  for (let i = 0, at = 0; i < n; i++) for (let d = 0; d < dims; d++) sums[d]! += vectors[at++]!
  return Float32Array.from(sums, (sum) => sum / n)
}

/** Gram–Schmidt, twice for accuracy; what vanishes becomes zero. */
const orthonormalise = (axes: readonly Float32Array[]): void => {
  axes.forEach((axis, c) => {
    const before = Math.sqrt(inner(axis, 0, axis))
    for (let pass = 0; pass < 2; pass++)
      for (const other of axes.slice(0, c)) {
        const along = inner(axis, 0, other)
        for (let d = 0; d < axis.length; d++) axis[d]! -= along * other[d]!
      }
    const length = Math.sqrt(inner(axis, 0, axis))
    const scale = length > 1e-6 * before && length > 1e-12 ? 1 / length : 0
    for (let d = 0; d < axis.length; d++) axis[d]! *= scale
  })
}

/** Four sums at a time: one would wait for each of its additions. */
const inner = (a: Float32Array, at: number, b: Float32Array): number => {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  const whole = b.length - (b.length & 3)
  for (let d = 0, i = at; d < whole; d += 4, i += 4) {
    s0 += a[i]! * b[d]!
    s1 += a[i + 1]! * b[d + 1]!
    s2 += a[i + 2]! * b[d + 2]!
    s3 += a[i + 3]! * b[d + 3]!
  }
  for (let d = whole; d < b.length; d++) s0 += a[at + d]! * b[d]!
  return s0 + s1 + (s2 + s3)
}
