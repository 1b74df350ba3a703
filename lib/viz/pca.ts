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
  const axes = principalAxes(sampled(vectors, n, dims), dims, components)
  const scores = project({ vectors, n, dims, mean: columnMeans(vectors, n, dims) }, axes)
  const out = new Float32Array(n * components)
  scores.forEach((score, c) => {
    const peak = score.reduce((best, x) => (Math.abs(x) > Math.abs(best) + 1e-9 ? x : best), 0)
    for (let i = 0; i < n; i++) out[i * components + c] = peak < 0 ? -score[i]! : score[i]!
  })
  return out
}

type Data = { readonly vectors: Float32Array; readonly n: number; readonly dims: number; readonly mean: Float64Array }

const sampled = (vectors: Float32Array, n: number, dims: number): Data => {
  const count = Math.min(n, SAMPLE)
  const sample = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const row = Math.floor((i * n) / count) * dims
    sample.set(vectors.subarray(row, row + dims), i * dims)
  }
  return { vectors: sample, n: count, dims, mean: columnMeans(sample, count, dims) }
}

const principalAxes = (data: Data, dims: number, components: number): Float64Array[] => {
  const random = randomFrom(1)
  // A few directions more than asked for make the wanted ones converge sooner.
  const width = Math.min(components + 3, data.n, dims)
  const axes = Array.from({ length: width }, () => Float64Array.from({ length: dims }, () => random() - 0.5))
  orthonormalise(axes)
  let scores = project(data, axes)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    axes.forEach((axis, c) => {
      accumulate(axis, data, scores[c]!)
    })
    orthonormalise(axes)
    scores = project(data, axes)
  }
  const variance = scores.map((s) => s.reduce((sum, x) => sum + x * x, 0))
  return [...variance.keys()]
    .sort((a, b) => variance[b]! - variance[a]!)
    .slice(0, components)
    .map((c) => axes[c]!)
}

const columnMeans = (vectors: Float32Array, n: number, dims: number): Float64Array => {
  const mean = new Float64Array(dims)
  for (let i = 0; i < n; i++) for (let d = 0; d < dims; d++) mean[d]! += vectors[i * dims + d]! / n
  return mean
}

const project = ({ vectors, n, dims, mean }: Data, axes: readonly Float64Array[]): Float64Array[] =>
  axes.map((axis) => {
    let shift = 0
    for (let d = 0; d < dims; d++) shift += mean[d]! * axis[d]!
    const score = new Float64Array(n)
    for (let i = 0, at = 0; i < n; i++) {
      let sum = -shift
      for (let d = 0; d < dims; d++) sum += vectors[at++]! * axis[d]!
      score[i] = sum
    }
    return score
  })

/** axis = Xᵀ·score for the centred X. */
const accumulate = (axis: Float64Array, { vectors, n, dims, mean }: Data, score: Float64Array): void => {
  axis.fill(0)
  let total = 0
  for (let i = 0, at = 0; i < n; i++) {
    const weight = score[i]!
    total += weight
    for (let d = 0; d < dims; d++) axis[d]! += weight * vectors[at++]!
  }
  for (let d = 0; d < dims; d++) axis[d]! -= total * mean[d]!
}

/** Gram–Schmidt, twice for accuracy; what vanishes becomes zero. */
const orthonormalise = (axes: readonly Float64Array[]): void => {
  axes.forEach((axis, c) => {
    const before = Math.sqrt(inner(axis, axis))
    for (let pass = 0; pass < 2; pass++)
      for (const other of axes.slice(0, c)) {
        const along = inner(axis, other)
        for (let d = 0; d < axis.length; d++) axis[d]! -= along * other[d]!
      }
    const length = Math.sqrt(inner(axis, axis))
    const scale = length > 1e-9 * before && length > 1e-12 ? 1 / length : 0
    for (let d = 0; d < axis.length; d++) axis[d]! *= scale
  })
}

const inner = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}
