import { multiplyTransposed, orthonormalizeRows, sampleRows, transpose } from "../matrix.ts"
import type { ChunkFilter } from "./similar-chunks.ts"

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
/** The maximum numbers of rows that the other rows are grouped by. */
const MAX_EVEN_PIVOTS = 1024
const MAX_DISTANT_PIVOTS = 3072
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
  /** If present, only rows of similar chunks are compared. */
  readonly chunks?: ChunkFilter
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

/**
 * Orders rows so that similar ones are next to each other. Rows are grouped by their most similar pivot, and pivots are
 * ordered so that each is similar to the one before. Pivots are rows: first evenly spaced ones, then ones that are far from
 * all pivots, chosen by their squared distance as in k-means|| (Bahmani et al. 2012).
 *
 * @returns the original number of each row
 */
export const orderBySimilarity = (projections: Float32Array, n: number, directionCount: number): Int32Array => {
  const wanted = Math.ceil(n / ROWS_PER_PIVOT)
  const even = scaleRows(sampleRows(projections, n, directionCount, Math.min(MAX_EVEN_PIVOTS, wanted)), directionCount)
  const groups = { of: new Int32Array(n), similarity: new Float32Array(n).fill(Number.NEGATIVE_INFINITY) }
  assignRows(projections, even, directionCount, groups)
  const distant = sampleDistantRows(
    projections,
    directionCount,
    groups,
    Math.min(MAX_DISTANT_PIVOTS, wanted - even.length / directionCount),
  )
  const pivots = new Float32Array(even.length + distant.length)
  pivots.set(even)
  pivots.set(scaleRows(distant, directionCount), even.length)
  assignRows(projections, pivots, directionCount, groups, even.length / directionCount)
  return orderByGroup(groups.of, chainSimilarRows(pivots, directionCount))
}

type Groups = {
  /** The number of the most similar pivot of each row. */
  readonly of: Int32Array
  readonly similarity: Float32Array
}

/**
 * Assigns each row to a pivot if it is more similar to it than to its present one.
 * @param first number of the first pivot to compare with
 */
const assignRows = (rows: Float32Array, pivots: Float32Array, dims: number, groups: Groups, first = 0): void => {
  const compared = pivots.subarray(first * dims)
  const count = compared.length / dims
  for (let from = 0; count > 0 && from < groups.of.length; from += GROUPED_AT_ONCE) {
    const some = rows.subarray(from * dims, Math.min(groups.of.length, from + GROUPED_AT_ONCE) * dims)
    const similarities = multiplyTransposed(some, compared, dims)
    for (let i = from, at = 0; at < similarities.length; i++, at += count)
      for (let p = 0; p < count; p++)
        if (similarities[at + p]! > groups.similarity[i]!) {
          groups.similarity[i] = similarities[at + p]!
          groups.of[i] = first + p
        }
  }
}

/** Samples rows with a probability that grows with the square of their distance from the direction of their pivot. */
const sampleDistantRows = (rows: Float32Array, dims: number, { similarity }: Groups, count: number): Float32Array => {
  let total = 0
  const sums = Float64Array.from(similarity, (toPivot, row) => {
    let squares = 0
    for (let d = row * dims; d < (row + 1) * dims; d++) squares += rows[d]! ** 2
    total += Math.max(0, squares - toPivot * Math.abs(toPivot))
    return total
  })
  const out: number[] = []
  for (let row = 0, taken = 0; row < sums.length && taken < count; row++)
    if (sums[row]! > ((taken + 0.5) / count) * total) {
      for (let d = row * dims; d < (row + 1) * dims; d++) out.push(rows[d]!)
      while (taken < count && sums[row]! > ((taken + 0.5) / count) * total) taken++
    }
  return Float32Array.from(out)
}

/** Orders rows by their groups. @param sequence the numbers of the groups, in the order in which they follow */
const orderByGroup = (groupOf: Int32Array, sequence: readonly number[]): Int32Array => {
  const place = new Int32Array(sequence.length)
  sequence.forEach((group, at) => {
    place[group] = at
  })
  const start = new Int32Array(sequence.length + 1)
  for (const group of groupOf) start[place[group]! + 1]!++
  for (let g = 0; g < sequence.length; g++) start[g + 1]! += start[g]!
  const order = new Int32Array(new SharedArrayBuffer(4 * groupOf.length))
  groupOf.forEach((group, row) => {
    order[start[place[group]!]!++] = row
  })
  return order
}

const scaleRows = (rows: Float32Array, dims: number): Float32Array => {
  const unit = rows.slice()
  for (let from = 0; from < unit.length; from += dims) {
    const own = unit.subarray(from, from + dims)
    const length = Math.hypot(...own) || 1
    for (let d = 0; d < dims; d++) own[d] = own[d]! / length
  }
  return unit
}

/** Orders rows greedily: each is followed by the most similar of the remaining rows. Returns their numbers. */
const chainSimilarRows = (unit: Float32Array, dims: number): number[] => {
  const count = unit.length / dims
  const similarities = multiplyTransposed(unit, unit, dims)
  const remaining = Uint8Array.from({ length: count }, () => 1)
  const sequence: number[] = []
  for (let r = 0; r >= 0; ) {
    sequence.push(r)
    remaining[r] = 0
    let next = -1
    for (let other = 0; other < count; other++)
      if (remaining[other] && (next < 0 || similarities[r * count + other]! > similarities[r * count + next]!))
        next = other
    r = next
  }
  return sequence
}
