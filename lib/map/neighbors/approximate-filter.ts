import { randomFrom } from "../layout/random.ts"
import { multiplyTransposed, orthonormalizeRows } from "../matrix.ts"
import { findNearestTargets } from "./nearest-targets.ts"
import { type FilterShape, MAX_PASS_RATE, orderBySimilarity, type PairFilter } from "./pair-filter.ts"
import { buildChunkFilter } from "./similar-chunks.ts"

/** From this number of rows on, searches may miss a few neighbors. */
export const APPROXIMATE_MIN_ROWS = 20_001
/** Directions that rows are projected on. */
export const DIRECTIONS = 96
/** The filter is not worth its time for rows with fewer dimensions per direction. */
const MIN_DIMS_PER_DIRECTION = 2
const SEED = 1
/** Rows whose true neighbors determine the tolerance. */
const CALIBRATION_ROWS = 64
/** The share of true neighbors that the tolerance has to let pass. */
const MIN_RECALL = 0.99
/** Rows that are compared with the calibration rows to estimate how many pairs pass. */
const TRIAL_ROWS = 1024

/**
 * Builds a filter that may miss a few neighbors. A short row holds the projections on random orthogonal directions. The
 * product of two short rows estimates the similarity of the rows (Johnson and Lindenstrauss 1984). The tolerance is such
 * that 99 % of the true neighbors of a sample pass. Only chunks of rows whose means are similar are compared at all.
 *
 * Returns null if the filter rules out too few pairs, as for texts with few words in common.
 *
 * @param vectors n × dims, each row of at most unit length
 */
export const buildApproximateFilter = (vectors: Float32Array, shape: FilterShape): PairFilter | null => {
  const { n, dims } = shape
  const projections = projectRows(vectors, n, dims)
  if (!projections) return null
  const scale = DIRECTIONS / dims
  const truth = findCalibrationNeighbors(vectors, shape)
  const tolerance = findTolerance(projections, scale, shape, truth)
  if (tolerance === null) return null
  const shortRows = new Float32Array(new SharedArrayBuffer(projections.byteLength))
  shortRows.set(projections)
  const order = orderBySimilarity(projections, n, DIRECTIONS)
  const pairs = Array.from(truth.indices, (other, e) => [truth.queries[Math.floor(e / shape.width)]!, other] as const)
  const chunks = buildChunkFilter(projections, DIRECTIONS, order, pairs)
  return { order, shortRows, dims: DIRECTIONS, scale, tolerance, chunks }
}

/**
 * Projects rows on random orthogonal directions. Products of projections are, on average, DIRECTIONS / dims of the products
 * of the rows. Returns n × DIRECTIONS, or null if the rows have too few dimensions.
 */
export const projectRows = (vectors: Float32Array, n: number, dims: number): Float32Array | null => {
  if (dims < MIN_DIMS_PER_DIRECTION * DIRECTIONS) return null
  const random = randomFrom(SEED)
  const directions = orthonormalizeRows(
    Float32Array.from({ length: DIRECTIONS * dims }, () => random() - 0.5),
    dims,
  )
  return multiplyTransposed(vectors.subarray(0, n * dims), directions, dims)
}

/** Finds the true neighbors of some rows. */
const findCalibrationNeighbors = (vectors: Float32Array, { n, dims, width }: FilterShape) => {
  // Between the rows that `orderBySimilarity` groups the others by, whose neighbors are easier to find.
  const queries = selectEvenly(n, CALIBRATION_ROWS, 0.37)
  const targets = Int32Array.from({ length: n }, (_, row) => row)
  return { queries, ...findNearestTargets({ vectors, dims, queries, targets, k: width }) }
}

/** Returns the tolerance that lets the true neighbors of some rows pass, or null if too many other pairs would pass, too. */
const findTolerance = (
  projections: Float32Array,
  scale: number,
  { n, width }: FilterShape,
  truth: ReturnType<typeof findCalibrationNeighbors>,
): number | null => {
  const { queries } = truth
  const estimate = (a: number, b: number): number => {
    let sum = 0
    for (let d = 0; d < DIRECTIONS; d++) sum += projections[a * DIRECTIONS + d]! * projections[b * DIRECTIONS + d]!
    return sum / scale
  }
  const errors = Float64Array.from(
    truth.indices,
    (other, e) => truth.similarities[e]! - estimate(queries[Math.floor(e / width)]!, other),
  ).sort()
  const tolerance = errors[Math.floor(MIN_RECALL * (errors.length - 1))]!
  const others = selectEvenly(n, TRIAL_ROWS)
  let passed = 0
  queries.forEach((row, q) => {
    const required = truth.similarities[(q + 1) * width - 1]! - tolerance
    for (const other of others) if (estimate(row, other) >= required) passed++
  })
  return passed <= MAX_PASS_RATE * queries.length * others.length ? tolerance : null
}

/** Returns the numbers of at most `count` of n rows, evenly spaced. `offset`: the place of the first one in its interval. */
const selectEvenly = (n: number, count: number, offset = 0): Int32Array => {
  const selected = Math.min(n, count)
  return Int32Array.from({ length: selected }, (_, i) => Math.floor(((i + offset) * n) / selected))
}
