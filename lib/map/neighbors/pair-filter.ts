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
export const MAX_PASS_RATE = 0.08
/** The maximum number of rows that the other rows are grouped by. There is one for this many rows. */
const MAX_PIVOTS = 1024
const ROWS_PER_PIVOT = 24
/** Rows that are compared with all pivots at once. More take more memory. */
const GROUPED_AT_ONCE = 4096

/** Tolerance for the rounding of bounds to int16, as a similarity. */
const ROUNDING_TOLERANCE = 1e-3

/**
 * Short versions of the rows whose products tell of most pairs, with a fraction of the multiplications, that they are not
 * similar enough to be neighbors.
 */
export type PairFilter = {
  /** The original number of each row. Similar rows are next to each other, so that passing pairs come together. */
  readonly order: Int32Array
  /** The short rows in their original order, n × dims, each at most as long as the row itself or 1. */
  readonly shortRows: Float32Array
  readonly dims: number
  /** A pair is ruled out if the product of its short rows is less than `scale` · (the required similarity − `tolerance`). */
  readonly scale: number
  readonly tolerance: number
}

export type FilterShape = {
  readonly n: number
  readonly dims: number
  /** The number of neighbors to find for each row. */
  readonly width: number
}

/**
 * Builds a filter that misses no neighbor. A short row holds the projections on some directions and the length of the rest
 * of the row. The product of two short rows is at least the product of the rows, because the product of the two rests is at
 * most the product of their lengths (Cauchy–Schwarz inequality). The directions approximate those of the largest variance,
 * by one step of subspace iteration on a sample.
 *
 * Returns null if the filter rules out too few pairs, as for noise or for texts with few words in common.
 *
 * @param vectors n × dims, each row of at most unit length
 */
export const buildExactFilter = (vectors: Float32Array, { n, dims, width }: FilterShape): PairFilter | null => {
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
  const order = orderBySimilarity(projections, n, directionCount)
  return { order, shortRows, dims: directionCount + 1, scale: 1, tolerance: ROUNDING_TOLERANCE }
}

/** Finds orthonormal directions that approximate those of the largest variance, by one step of subspace iteration. */
const findDirections = (sample: Float32Array, dims: number, directionCount: number): Float32Array => {
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
const estimatePassRate = (sample: Float32Array, directions: Float32Array, { n, dims, width }: FilterShape): number => {
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
export const orderBySimilarity = (projections: Float32Array, n: number, directionCount: number): Int32Array => {
  const pivotCount = Math.min(MAX_PIVOTS, Math.ceil(n / ROWS_PER_PIVOT))
  const pivots = chainSimilarRows(sampleRows(projections, n, directionCount, pivotCount), directionCount)
  const count = pivots.length / directionCount
  const group = new Int32Array(n)
  for (let from = 0; from < n; from += GROUPED_AT_ONCE) {
    const rows = projections.subarray(from * directionCount, Math.min(n, from + GROUPED_AT_ONCE) * directionCount)
    const similarities = multiplyTransposed(rows, pivots, directionCount)
    for (let i = from, at = 0; at < similarities.length; i++, at += count)
      for (let p = 1; p < count; p++) if (similarities[at + p]! > similarities[at + group[i]!]!) group[i] = p
  }
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
