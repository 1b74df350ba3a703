import { randomFrom } from "../layout/random.ts"

/** A division of rows into groups of similar rows. */
export type Partition = {
  /** All rows, group by group. */
  readonly order: Int32Array
  /** The position in `order` at which each group begins, and the number of rows at the end. */
  readonly starts: readonly number[]
}

/**
 * Divides rows into groups by a random projection tree (Dasgupta and Freund 2008): each group is halved at the median of
 * the projections on the difference of two of its rows, until it is small enough. Different seeds give different
 * partitions. Deterministic. O(n · dims · log n).
 *
 * @param rows n × dims
 */
export const partitionRows = (rows: Float32Array, dims: number, maxGroupRows: number, seed: number): Partition => {
  const n = rows.length / dims
  const random = randomFrom(seed)
  const order = Int32Array.from({ length: n }, (_, row) => row)
  const starts: number[] = []
  const scores = new Float32Array(n)
  const split = (from: number, to: number): void => {
    if (to - from <= maxGroupRows) {
      starts.push(from)
      return
    }
    const pick = () => order[from + Math.floor(random() * (to - from))]! * dims
    const [a, b] = [pick(), pick()]
    const direction = rows.slice(a, a + dims).map((x, d) => x - rows[b + d]!)
    for (let i = from; i < to; i++) scores[i] = multiplyRow(rows, order[i]! * dims, direction)
    const middle = (from + to) >> 1
    moveLowerHalf(order.subarray(from, to), scores.subarray(from, to), middle - from)
    split(from, middle)
    split(middle, to)
  }
  split(0, n)
  return { order, starts: [...starts, n] }
}

const multiplyRow = (rows: Float32Array, from: number, direction: Float32Array): number => {
  let sum = 0
  for (let d = 0; d < direction.length; d++) sum += rows[from + d]! * direction[d]!
  return sum
}

/** Moves the `count` rows with the lowest scores to the front. Keeps the order otherwise, also of equal scores. */
const moveLowerHalf = (order: Int32Array, scores: Float32Array, count: number): void => {
  const limit = scores.slice().sort()[count]!
  let below = 0
  for (const score of scores) if (score < limit) below++
  let ties = count - below
  const before = order.slice()
  let [low, high] = [0, count]
  before.forEach((row, i) => {
    const isLow = scores[i]! < limit || (scores[i] === limit && ties-- > 0)
    order[isLow ? low++ : high++] = row
  })
}
