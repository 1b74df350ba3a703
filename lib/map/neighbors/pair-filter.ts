import { multiplyTransposed, orthonormalizeRows, sampleRows, transpose } from "../matrix.ts"

/** Directions that rows are projected on. */
const MAX_DIRECTIONS = 128
/** The filter is not worth its time for rows with fewer dimensions per direction. */
const MIN_DIMS_PER_DIRECTION = 3
/** Rows that the directions are computed from. */
const SAMPLE_ROWS = 1024
/** Rows of the sample that the filter is tried with. */
const TRIAL_ROWS = 64
/**
 * The maximum share of pairs that may pass. If more pass, multiplying all pairs in full is as fast, because 32 pairs are
 * multiplied wherever one of them passes.
 */
const MAX_PASS_RATE = 0.08
/** Rows that the other rows are grouped by. */
const MAX_PIVOTS = 256

/**
 * Short versions of the rows whose products are upper bounds of the similarities, so that most pairs can be ruled out
 * with a sixth of the multiplications and without missing a neighbor.
 *
 * A short row holds the projections on some directions and the length of the rest of the row. The product of two short
 * rows is at least the product of the rows, because the product of the two rests is at most the product of their lengths
 * (Cauchy–Schwarz inequality).
 */
export type PairFilter = {
  /** The original number of each row. Similar rows are next to each other, so that passing pairs come together. */
  readonly order: Int32Array
  /** The short rows in their original order, n × dims, each at most as long as the row itself or 1. */
  readonly shortRows: Float32Array
  readonly dims: number
}

type Shape = { readonly n: number; readonly dims: number; readonly width: number }

/**
 * Builds the filter for a matrix. Its directions approximate those of the largest variance, by one step of subspace
 * iteration on a sample. Returns null if they rule out too few pairs, as for noise or for texts with few words in common.
 *
 * @param vectors n × dims, each row of at most unit length
 * @param shape.width number of neighbors to find for each row
 */
export const buildPairFilter = (vectors: Float32Array, { n, dims, width }: Shape): PairFilter | null => {
  const sample = sampleRows(vectors, n, dims, SAMPLE_ROWS)
  const count = sample.length / dims
  const directionCount = Math.min(MAX_DIRECTIONS, count)
  if (dims < MIN_DIMS_PER_DIRECTION * directionCount || directionCount < 2) return null
  const directions = findDirections(sample, dims, directionCount)
  if (estimatePassRate(sample, directions, { n, dims, width }) > MAX_PASS_RATE) return null
  const projections = multiplyTransposed(vectors.subarray(0, n * dims), directions, dims)
  const shortRows = new Float32Array(new SharedArrayBuffer(4 * n * (directionCount + 1)))
  for (let i = 0, at = 0; i < n; i++) {
    for (let c = 0; c < directionCount; c++) shortRows[at++] = projections[i * directionCount + c]!
    shortRows[at++] = residualLength(projections, i, directionCount)
  }
  return { order: orderBySimilarity(projections, n, directionCount), shortRows, dims: directionCount + 1 }
}

/** Finds orthonormal directions that approximate those of the largest variance, by one step of subspace iteration. */
export const findDirections = (sample: Float32Array, dims: number, directionCount: number): Float32Array => {
  const count = sample.length / dims
  const similarities = multiplyTransposed(sample, sampleRows(sample, count, dims, directionCount), dims)
  const iterated = multiplyTransposed(transpose(similarities, directionCount), transpose(sample, dims), count)
  return orthonormalizeRows(iterated, dims)
}

/** Returns the length of the part of a unit vector that its projections do not cover. */
const residualLength = (projections: Float32Array, row: number, directionCount: number): number => {
  let squares = 0
  for (let c = row * directionCount; c < (row + 1) * directionCount; c++) squares += projections[c]! ** 2
  return Math.sqrt(Math.max(0, 1 - squares))
}

/** Estimates the share of pairs that pass, assuming that neighbors within the sample are as close as among all rows. */
const estimatePassRate = (sample: Float32Array, directions: Float32Array, { n, dims, width }: Shape): number => {
  const count = sample.length / dims
  const directionCount = directions.length / dims
  const queries = Math.min(TRIAL_ROWS, count)
  const projections = multiplyTransposed(sample, directions, dims)
  const products = multiplyTransposed(
    sampleRows(projections, count, directionCount, queries),
    projections,
    directionCount,
  )
  const similarities = multiplyTransposed(sampleRows(sample, count, dims, queries), sample, dims)
  const residuals = Array.from({ length: count }, (_, i) => residualLength(projections, i, directionCount))
  // The row itself is the first of its neighbors here.
  const rank = Math.min(count - 1, Math.max(2, Math.round((width * count) / n)))
  let passed = 0
  for (let q = 0; q < queries; q++) {
    const threshold = similarities.slice(q * count, (q + 1) * count).sort()[count - 1 - rank]!
    const residual = residuals[Math.floor((q * count) / queries)]!
    for (let i = 0; i < count; i++) if (products[q * count + i]! + residual * residuals[i]! >= threshold) passed++
  }
  return passed / (queries * count)
}

/** Groups the rows by their most similar pivot. Pivots are rows, ordered so that each is similar to the one before. */
const orderBySimilarity = (projections: Float32Array, n: number, directionCount: number): Int32Array => {
  const pivots = chainSimilarRows(sampleRows(projections, n, directionCount, MAX_PIVOTS), directionCount)
  const count = pivots.length / directionCount
  const similarities = multiplyTransposed(projections, pivots, directionCount)
  const group = new Int32Array(n)
  for (let i = 0; i < n; i++)
    for (let p = 1; p < count; p++)
      if (similarities[i * count + p]! > similarities[i * count + group[i]!]!) group[i] = p
  const start = new Int32Array(count + 1)
  for (const g of group) start[g + 1]!++
  for (let g = 0; g < count; g++) start[g + 1]! += start[g]!
  const order = new Int32Array(new SharedArrayBuffer(4 * n))
  for (let i = 0; i < n; i++) order[start[group[i]!]!++] = i
  return order
}

/** Scales rows to unit length and orders them greedily: each is followed by the most similar of the remaining rows. */
const chainSimilarRows = (rows: Float32Array, dims: number): Float32Array => {
  const count = rows.length / dims
  const unit = rows.slice()
  for (let r = 0; r < count; r++) {
    const own = unit.subarray(r * dims, (r + 1) * dims)
    const length = Math.hypot(...own) || 1
    for (let d = 0; d < dims; d++) own[d] = own[d]! / length
  }
  const similarities = multiplyTransposed(unit, unit, dims)
  const remaining = new Set(Array.from({ length: count }, (_, r) => r))
  const out = new Float32Array(rows.length)
  for (let at = 0, r = 0; at < count; at++) {
    out.set(unit.subarray(r * dims, (r + 1) * dims), at * dims)
    remaining.delete(r)
    let next = r
    for (const other of remaining)
      if (next === r || similarities[r * count + other]! > similarities[r * count + next]!) next = other
    r = next
  }
  return out
}
