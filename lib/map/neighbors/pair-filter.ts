import { orthonormal } from "../layout/orthonormal.ts"
import { products } from "./simd.ts"

/** Directions that rows are reduced to, and how many times as many numbers rows need for that to be worth it. */
const AXES = 128
const WORTH = 3
/** Rows that the directions are found on, evenly taken, and how many of them the sieve is tried with. */
const SAMPLE = 1024
const TRIED = 64
/** Where more pairs than this pass, multiplying all in full is as fast: 32 are multiplied where one passes. */
const MOST = 0.08
/** Rows beside which the others line up. */
const PIVOTS = 256

/**
 * What tells of most pairs, by a sixth of the numbers, that they are no neighbours: x·y is at most the product of what
 * x and y are along some directions, plus the lengths of what they are besides (Cauchy and Schwarz). So a row is held as
 * its places along the directions and that length, and the product of two such rows is a bound: nothing is missed.
 */
export type Sieve = {
  /** Rows as they line up, like by like, so that what passes comes together. */
  readonly order: Int32Array
  /** n × dims, in the given order of rows; each as long as the row itself, or one. */
  readonly narrow: Float32Array
  readonly dims: number
}

type Shape = { readonly n: number; readonly dims: number; readonly width: number }

/**
 * The directions are about those of most variance: a step of subspace iteration on a sample, from rows of it. Null where
 * they tell too little, as of noise, or of texts with few words in common.
 *
 * @param vectors n × dims, rows of at most unit length. @param width how many neighbours are wanted of each row.
 */
export const openSieve = (vectors: Float32Array, { n, dims, width }: Shape): Sieve | null => {
  const sample = taken(vectors, n, dims, SAMPLE)
  const count = sample.length / dims
  const axes = Math.min(AXES, count)
  if (dims < WORTH * axes || axes < 2) return null
  const along = products(sample, taken(sample, count, dims, axes), dims)
  const summed = products(transposed(along, axes), transposed(sample, dims), count)
  const directions = orthonormal(summed, dims)
  if (passing(sample, directions, { n, dims, width }) > MOST) return null
  const places = products(vectors.subarray(0, n * dims), directions, dims)
  const narrow = new Float32Array(new SharedArrayBuffer(4 * n * (axes + 1)))
  for (let i = 0, at = 0; i < n; i++) {
    for (let c = 0; c < axes; c++) narrow[at++] = places[i * axes + c]!
    narrow[at++] = rest(places, i, axes)
  }
  return { order: linedUp(places, n, axes), narrow, dims: axes + 1 }
}

/** The length of what a unit vector is beside the directions. */
const rest = (places: Float32Array, row: number, axes: number): number => {
  let squares = 0
  for (let c = row * axes; c < (row + 1) * axes; c++) squares += places[c]! ** 2
  return Math.sqrt(Math.max(0, 1 - squares))
}

/** The share of the sample's pairs that the bound would let pass, if the sample's neighbours were as near as those of all. */
const passing = (sample: Float32Array, directions: Float32Array, { n, dims, width }: Shape): number => {
  const count = sample.length / dims
  const axes = directions.length / dims
  const asked = Math.min(TRIED, count)
  const places = products(sample, directions, dims)
  const bounds = products(taken(places, count, axes, asked), places, axes)
  const similarities = products(taken(sample, count, dims, asked), sample, dims)
  const rests = Array.from({ length: count }, (_, i) => rest(places, i, axes))
  // The row itself is among them.
  const rank = Math.min(count - 1, Math.max(2, Math.round((width * count) / n)))
  let passed = 0
  for (let q = 0; q < asked; q++) {
    const gate = similarities.slice(q * count, (q + 1) * count).sort()[count - 1 - rank]!
    const length = rests[Math.floor((q * count) / asked)]!
    for (let i = 0; i < count; i++) if (bounds[q * count + i]! + length * rests[i]! >= gate) passed++
  }
  return passed / (asked * count)
}

/** The rows by the pivot that they are most along. Pivots are rows themselves, each followed by what is most along it. */
const linedUp = (places: Float32Array, n: number, axes: number): Int32Array => {
  const pivots = chained(taken(places, n, axes, PIVOTS), axes)
  const count = pivots.length / axes
  const towards = products(places, pivots, axes)
  const group = new Int32Array(n)
  for (let i = 0; i < n; i++)
    for (let p = 1; p < count; p++) if (towards[i * count + p]! > towards[i * count + group[i]!]!) group[i] = p
  const start = new Int32Array(count + 1)
  for (const g of group) start[g + 1]!++
  for (let g = 0; g < count; g++) start[g + 1]! += start[g]!
  const order = new Int32Array(new SharedArrayBuffer(4 * n))
  for (let i = 0; i < n; i++) order[start[group[i]!]!++] = i
  return order
}

/** The same rows, scaled to one length, from each to the one most like it among those that are left. */
const chained = (rows: Float32Array, dims: number): Float32Array => {
  const count = rows.length / dims
  const unit = rows.slice()
  for (let r = 0; r < count; r++) {
    const own = unit.subarray(r * dims, (r + 1) * dims)
    const length = Math.hypot(...own) || 1
    for (let d = 0; d < dims; d++) own[d] = own[d]! / length
  }
  const likeness = products(unit, unit, dims)
  const left = new Set(Array.from({ length: count }, (_, r) => r))
  const out = new Float32Array(rows.length)
  for (let at = 0, r = 0; at < count; at++) {
    out.set(unit.subarray(r * dims, (r + 1) * dims), at * dims)
    left.delete(r)
    let next = r
    for (const other of left) if (next === r || likeness[r * count + other]! > likeness[r * count + next]!) next = other
    r = next
  }
  return out
}

/** At most so many rows, evenly taken. */
const taken = (matrix: Float32Array, rows: number, dims: number, most: number): Float32Array => {
  const count = Math.min(rows, most)
  const out = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const row = Math.floor((i * rows) / count) * dims
    out.set(matrix.subarray(row, row + dims), i * dims)
  }
  return out
}

/** Columns of a matrix with so many columns as rows. */
const transposed = (matrix: Float32Array, columns: number): Float32Array => {
  const rows = matrix.length / columns
  const out = new Float32Array(matrix.length)
  for (let r = 0, at = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = matrix[at++]!
  return out
}
