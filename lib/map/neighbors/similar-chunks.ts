import { multiplyTransposed } from "../matrix.ts"

/** Rows of a chunk: successive rows of an order in which similar rows are next to each other. */
export const CHUNK_ROWS = 32
/** The share of true neighbors whose chunks are compared. */
const MIN_RECALL = 0.999

/** Tells which chunks may hold neighbors of each other, by the similarity of their means. */
export type ChunkFilter = {
  /** The mean of each chunk, chunks × dims, of unit length or zero. */
  readonly means: Float32Array
  readonly minSimilarity: number
}

/** A range of rows, without `to`. */
export type RowRange = { readonly from: number; readonly to: number }

/** Pairs of rows, as their original numbers. */
type RowPairs = Iterable<readonly [row: number, neighbor: number]>

/**
 * Builds a filter for chunks. Chunks are compared if their means are at least as similar as those of 99.9 % of the given
 * pairs of true neighbors.
 *
 * @param rows n × dims
 * @param order the original number of each row
 */
export const buildChunkFilter = (
  rows: Float32Array,
  dims: number,
  order: Int32Array,
  neighbors: RowPairs,
): ChunkFilter => {
  const means = averageChunks(rows, dims, order)
  const chunkOf = new Int32Array(order.length)
  order.forEach((row, at) => {
    chunkOf[row] = Math.floor(at / CHUNK_ROWS)
  })
  const similarities = Float64Array.from(neighbors, ([row, neighbor]) =>
    multiplyRows(means, dims, chunkOf[row]!, chunkOf[neighbor]!),
  ).sort()
  const minSimilarity = similarities[Math.floor((1 - MIN_RECALL) * similarities.length)] ?? Number.NEGATIVE_INFINITY
  return { means, minSimilarity }
}

const averageChunks = (rows: Float32Array, dims: number, order: Int32Array): Float32Array => {
  const count = Math.ceil(order.length / CHUNK_ROWS)
  const means = new Float32Array(new SharedArrayBuffer(4 * count * dims))
  order.forEach((row, at) => {
    const to = Math.floor(at / CHUNK_ROWS) * dims
    for (let d = 0; d < dims; d++) means[to + d]! += rows[row * dims + d]!
  })
  for (let chunk = 0; chunk < count; chunk++) {
    const length = Math.sqrt(multiplyRows(means, dims, chunk, chunk)) || 1
    for (let d = chunk * dims; d < (chunk + 1) * dims; d++) means[d]! /= length
  }
  return means
}

const multiplyRows = (matrix: Float32Array, dims: number, a: number, b: number): number => {
  let sum = 0
  for (let d = 0; d < dims; d++) sum += matrix[a * dims + d]! * matrix[b * dims + d]!
  return sum
}

/**
 * Returns a function that returns, for a chunk before a block, the ranges of the block that may hold neighbors of its rows.
 *
 * @param dims number of columns of the means
 * @param block a range that starts with a chunk
 */
export const openSimilarChunks = (
  { means, minSimilarity }: ChunkFilter,
  dims: number,
  { from, to }: RowRange,
): ((chunk: number) => RowRange[]) => {
  const first = from / CHUNK_ROWS
  const count = Math.ceil(to / CHUNK_ROWS) - first
  const similarities = multiplyTransposed(
    means.subarray(first * dims, (first + count) * dims),
    means.subarray(0, first * dims),
    dims,
  )
  return (chunk) => {
    const ranges: { from: number; to: number }[] = []
    for (let c = 0; c < count; c++) {
      if (similarities[c * first + chunk]! < minSimilarity) continue
      const start = from + c * CHUNK_ROWS
      const end = Math.min(start + CHUNK_ROWS, to)
      const last = ranges.at(-1)
      if (last?.to === start) last.to = end
      else ranges.push({ from: start, to: end })
    }
    return ranges
  }
}
