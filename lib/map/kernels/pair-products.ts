import { PANEL } from "./dot-products.ts"
import { openKernels } from "./kernels.ts"

/** Rows that are packed together and multiplied at a time. A record has the products of as many rows. */
export const RECORD_ROWS = 8
/** Words of a record: a header of four, of which the first is the number of the first row, then 4 · 8 products. */
export const RECORD = 4 + PANEL * RECORD_ROWS
/** The maximum number of rows of one run. At 768 dimensions they take 400 KB and stay in the second-level cache. */
export const MAX_RUN_ROWS = 256
const BYTES = 4
/** The int16 value that stands for 1. The product of two unit vectors then fits into an int32. */
const SCALE = 32_767
/** The product that stands for a similarity of 1. */
export const UNIT = SCALE ** 2

/**
 * Multiplies rows of a matrix with each other, four by eight, and reports products that reach a threshold. Numbers are
 * rounded to int16, which changes a similarity by some hundred-thousandths.
 */
export type PairProducts = {
  /** The product that a pair must reach with each row, initially minus infinity. The caller may change it at any time. */
  readonly thresholds: Float32Array
  /**
   * Multiplies rows 4 · panel to 4 · panel + 3 with rows `from` to `to` − 1 and fills `records`. A record is written if any
   * of its products reaches the lower of its two thresholds.
   *
   * @param from a multiple of RECORD_ROWS
   * @param to at most `from` + MAX_RUN_ROWS
   * @returns the number of records
   */
  run(panel: number, from: number, to: number): number
  /**
   * The records, RECORD words each. The product of query q (0 to 3) and row r (0 to 7) of a record is at
   * 4 + 16 · (r >> 2) + 4 · q + (r & 3).
   */
  readonly records: Float32Array
  /** The words of the records as integers. The first word of each is the number of its first row. */
  readonly recordWords: Int32Array
}

/** Returns the number of int32 words that a row takes as int16. */
const countWords = (dims: number): number => Math.max(1, Math.ceil(dims / 2))

/**
 * Opens a kernel over a packed copy of a matrix.
 *
 * @param vectors rows × dims, each row of at most unit length
 * @param order the original row number of each row, if the rows are renumbered
 */
export const openPairProducts = (
  vectors: Float32Array,
  rows: number,
  dims: number,
  order?: Int32Array,
): PairProducts => {
  const { packed, ...pairs } = openKernel(rows, dims)
  const packLength = countWords(dims) * 2 * RECORD_ROWS
  for (let r = 0; r < rows; r++) {
    const from = (order ? order[r]! : r) * dims
    packRow(packed, (r >> 3) * packLength + 2 * (r & 7), vectors, from, from + dims)
  }
  return pairs
}

const openKernel = (rows: number, dims: number): PairProducts & { readonly packed: Int16Array } => {
  const packBytes = countWords(dims) * BYTES * RECORD_ROWS
  const capacity = Math.ceil(rows / RECORD_ROWS) * RECORD_ROWS
  const thresholdsAt = (capacity / RECORD_ROWS) * packBytes
  const outAt = thresholdsAt + capacity * BYTES
  const words = (MAX_RUN_ROWS / RECORD_ROWS) * RECORD
  const { buffer, kernels } = openKernels(outAt + words * BYTES)
  // Padding rows never reach their own threshold.
  const thresholds = new Float32Array(buffer, thresholdsAt, capacity).fill(Number.POSITIVE_INFINITY, rows)
  thresholds.fill(Number.NEGATIVE_INFINITY, 0, rows)
  return {
    packed: new Int16Array(buffer),
    thresholds,
    records: new Float32Array(buffer, outAt, words),
    recordWords: new Int32Array(buffer, outAt, words),
    run: (panel, from, to) => {
      const queryAt = (panel >> 1) * packBytes + (panel & 1) * 2 * PANEL * Int16Array.BYTES_PER_ELEMENT
      const thresholdAt = (row: number) => thresholdsAt + row * BYTES
      const end = kernels.findPairs(
        queryAt,
        (from / RECORD_ROWS) * packBytes,
        packBytes,
        thresholdAt(panel * PANEL),
        thresholdAt(from),
        outAt,
        from,
        to,
      )
      return (end - outAt) / (RECORD * BYTES)
    },
  }
}

/** Writes a row into its pack of eight rows, which take turns with two numbers each. */
const packRow = (packed: Int16Array, to: number, vectors: Float32Array, from: number, end: number): void => {
  let at = to
  let d = from
  for (; d + 1 < end; d += 2, at += 2 * RECORD_ROWS) {
    packed[at] = toInt16(vectors[d]!)
    packed[at + 1] = toInt16(vectors[d + 1]!)
  }
  if (d < end) packed[at] = toInt16(vectors[d]!)
}

/** Rounds a number from −1 to 1 to the nearest int16. Several times as fast as Math.round. */
const toInt16 = (x: number): number => ((x * SCALE + (SCALE + 0.5)) | 0) - SCALE
