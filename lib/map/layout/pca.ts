import { openDotRows } from "../kernels/dot-products.ts"
import { sampleRows, transpose } from "../matrix.ts"
import { randomFrom } from "./random.ts"

const ITERATIONS = 6
/** Rows that the axes are computed from. More rows do not change the axes visibly. */
const SAMPLE_ROWS = 1024
/** Axes beyond the wanted ones, which speed up convergence. */
const EXTRA_AXES = 3

/**
 * Computes the scores of the first principal components by subspace iteration on the centered data, without a dims × dims
 * matrix (Halko, Martinsson, Tropp, "Finding structure with randomness", 2011). Components without variance are zeros.
 * O(n · dims · components).
 *
 * @param vectors n × dims
 * @returns n × components, largest variance first. The largest score of each component is positive.
 */
export const principalComponents = (vectors: Float32Array, n: number, dims: number, components: number) => {
  const axes = principalAxes(vectors, n, dims, components)
  const mean = columnMeans(vectors, n, dims)
  const out = new Float32Array(n * components)
  axes.forEach((axis, c) => {
    const shift = dot(mean, 0, axis)
    let peak = 0
    for (let i = 0; i < n; i++) {
      const score = dot(vectors, i * dims, axis) - shift
      if (Math.abs(score) > Math.abs(peak) + 1e-9) peak = score
      out[i * components + c] = score
    }
    if (peak < 0) for (let i = c; i < out.length; i += components) out[i] = -out[i]!
  })
  return out
}

/** Returns the orthonormal principal axes of a sample, largest variance first. Axes without variance are zeros. */
const principalAxes = (vectors: Float32Array, n: number, dims: number, components: number): Float32Array[] => {
  const random = randomFrom(1)
  const sample = sampleRows(vectors, n, dims, SAMPLE_ROWS)
  const count = sample.length / dims
  const axisCount = Math.min(components + EXTRA_AXES, count, dims)
  const mean = columnMeans(sample, count, dims)
  for (let i = 0, at = 0; i < count; i++) for (let d = 0; d < dims; d++) sample[at++]! -= mean[d]!
  const multiplySample = openMatrixVectorProduct(sample, count, dims)
  const multiplyTransposedSample = openMatrixVectorProduct(transpose(sample, dims), dims, count)
  const axes = Array.from({ length: axisCount }, () => Float32Array.from({ length: dims }, () => random() - 0.5))
  orthonormalize(axes)
  let scores = axes.map(multiplySample)
  for (let i = 0; i < ITERATIONS; i++) {
    axes.forEach((axis, c) => {
      axis.set(multiplyTransposedSample(scores[c]!))
    })
    orthonormalize(axes)
    scores = axes.map(multiplySample)
  }
  const variance = scores.map((score) => dot(score, 0, score))
  return [...variance.keys()]
    .sort((a, b) => variance[b]! - variance[a]!)
    .slice(0, components)
    .map((c) => axes[c]!)
}

/** Returns a function that multiplies a matrix of rows × dims with a vector. */
const openMatrixVectorProduct = (matrix: Float32Array, rows: number, dims: number) => {
  // The kernel multiplies rows of one matrix, so the vector is stored as an additional row.
  const extended = new Float32Array((rows + 1) * dims)
  extended.set(matrix)
  const dots = openDotRows(extended, rows + 1, dims, rows)
  for (let r = 0; r < rows; r++) dots.others[r] = r
  return (vector: Float32Array): Float32Array => {
    dots.heap.set(vector, rows * dots.stride)
    return dots.run(rows, rows).slice(0, rows)
  }
}

const columnMeans = (vectors: Float32Array, n: number, dims: number): Float32Array => {
  const sums = new Float64Array(dims)
  for (let i = 0, at = 0; i < n; i++) for (let d = 0; d < dims; d++) sums[d]! += vectors[at++]!
  return Float32Array.from(sums, (sum) => sum / n)
}

/** Orthonormalizes vectors in place by two passes of Gram–Schmidt. Dependent vectors become zeros. */
const orthonormalize = (axes: readonly Float32Array[]): void => {
  axes.forEach((axis, c) => {
    const lengthBefore = Math.sqrt(dot(axis, 0, axis))
    for (let pass = 0; pass < 2; pass++)
      for (const other of axes.slice(0, c)) {
        const projection = dot(axis, 0, other)
        for (let d = 0; d < axis.length; d++) axis[d]! -= projection * other[d]!
      }
    const length = Math.sqrt(dot(axis, 0, axis))
    const scale = length > 1e-6 * lengthBefore && length > 1e-12 ? 1 / length : 0
    for (let d = 0; d < axis.length; d++) axis[d]! *= scale
  })
}

/** Multiplies b with the numbers of a from `offset` on. Four sums, because each addition waits for the one before it. */
const dot = (a: Float32Array, offset: number, b: Float32Array): number => {
  let [s0, s1, s2, s3] = [0, 0, 0, 0]
  const end = b.length - (b.length & 3)
  for (let d = 0, i = offset; d < end; d += 4, i += 4) {
    s0 += a[i]! * b[d]!
    s1 += a[i + 1]! * b[d + 1]!
    s2 += a[i + 2]! * b[d + 2]!
    s3 += a[i + 3]! * b[d + 3]!
  }
  for (let d = end; d < b.length; d++) s0 += a[offset + d]! * b[d]!
  return s0 + s1 + (s2 + s3)
}
