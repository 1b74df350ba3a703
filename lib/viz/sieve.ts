import { type DotTiles, openDotTiles, PANEL } from "./simd.ts"

/** Directions that are looked at. With the length of what they leave, a row of the sieve has 64 numbers. */
const AXES = 63
export const SIEVE_DIMS = AXES + 1
/** Rows from which the directions are found, and rounds of doing so. */
const SAMPLE = 768
const SWEEPS = 2
/** Rows of one heap, on the average, and heaps at most. */
const HEAP = 100
const MOST_HEAPS = 128

type Rows = { readonly values: Float32Array; readonly count: number; readonly at: (row: number) => number }

/** All products of some vectors with the rows. */
const products = (
  tiles: DotTiles,
  queries: readonly Float32Array[],
  { values, count, at }: Rows,
  take: (query: number, row: number, product: number) => void,
): void => {
  queries.forEach((query, q) => {
    tiles.setQuery(q, query, 0)
  })
  for (let from = 0; from < count; from += tiles.blockRows) {
    const rows = Math.min(tiles.blockRows, count - from)
    for (let r = 0; r < rows; r++) tiles.setRow(r, values, at(from + r))
    for (let first = 0; first < queries.length; first += PANEL) {
      const dots = tiles.run(first / PANEL, rows)
      const width = Math.min(PANEL, queries.length - first)
      for (let r = 0; r < rows; r++) for (let q = 0; q < width; q++) take(first + q, from + r, dots[PANEL * r + q]!)
    }
  }
}

/** Gram–Schmidt; what vanishes becomes zero. */
const orthonormalise = (axes: readonly Float32Array[]): void => {
  axes.forEach((axis, c) => {
    for (let pass = 0; pass < 2; pass++)
      for (let o = 0; o < c; o++) {
        const other = axes[o]!
        let along = 0
        for (let d = 0; d < axis.length; d++) along += axis[d]! * other[d]!
        for (let d = 0; d < axis.length; d++) axis[d]! -= along * other[d]!
      }
    let squares = 0
    for (let d = 0; d < axis.length; d++) squares += axis[d]! ** 2
    const scale = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0
    for (let d = 0; d < axis.length; d++) axis[d]! *= scale
  })
}

/** Directions along which the rows are longest, orthonormal, by subspace iteration on a sample of them. */
const mainDirections = (vectors: Float32Array, n: number, dims: number): Float32Array[] => {
  const rows = Math.min(n, SAMPLE)
  const at = (s: number) => Math.floor((s * n) / rows) * dims
  const columns = new Float32Array(dims * rows)
  for (let s = 0; s < rows; s++) for (let d = 0, from = at(s); d < dims; d++) columns[d * rows + s] = vectors[from + d]!
  const axes = Array.from({ length: AXES }, (_, a) => {
    const from = at(Math.floor((a * rows) / AXES))
    return vectors.slice(from, from + dims)
  })
  const scores = axes.map(() => new Float32Array(rows))
  const [byRow, byColumn] = [openDotTiles(dims, AXES), openDotTiles(rows, AXES)]
  orthonormalise(axes)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    products(byRow, axes, { values: vectors, count: rows, at }, (a, s, product) => {
      scores[a]![s] = product
    })
    products(byColumn, scores, { values: columns, count: dims, at: (d) => d * rows }, (a, d, product) => {
      axes[a]![d] = product
    })
    orthonormalise(axes)
  }
  return axes
}

export type Sieve = {
  /** Place → row: rows that lie near one another have places near one another. */
  readonly order: Int32Array
  /** By place, n × SIEVE_DIMS, unit length. */
  readonly narrow: Float32Array
}

/**
 * Narrow rows whose products are never below those of the whole rows: the parts along a few directions, and the length of
 * what they leave, because two rests have no greater product than their lengths (Cauchy and Schwarz). Most pairs are
 * found too far from one another by these alone.
 *
 * @param vectors n × dims, rows of unit length.
 */
export const sieveOf = (vectors: Float32Array, n: number, dims: number): Sieve => {
  const narrow = new Float32Array(n * SIEVE_DIMS)
  const whole = { values: vectors, count: n, at: (row: number) => row * dims }
  products(openDotTiles(dims, AXES), mainDirections(vectors, n, dims), whole, (a, row, product) => {
    narrow[row * SIEVE_DIMS + a] = product
  })
  for (let row = 0; row < n; row++) {
    let squares = 0
    for (let a = row * SIEVE_DIMS; a < row * SIEVE_DIMS + AXES; a++) squares += narrow[a]! ** 2
    narrow[row * SIEVE_DIMS + AXES] = Math.sqrt(Math.max(0, 1 - squares))
  }
  const order = heaped(narrow, n)
  const placed = new Float32Array(narrow.length)
  order.forEach((row, place) => {
    placed.set(narrow.subarray(row * SIEVE_DIMS, (row + 1) * SIEVE_DIMS), place * SIEVE_DIMS)
  })
  return { order, narrow: placed }
}

/** The rows by the nearest of some of them. */
const heaped = (narrow: Float32Array, n: number): Int32Array => {
  const heaps = Math.max(1, Math.min(MOST_HEAPS, Math.round(n / HEAP)))
  const middles = Array.from({ length: heaps }, (_, h) => {
    const from = Math.floor((h * n) / heaps) * SIEVE_DIMS
    return narrow.slice(from, from + SIEVE_DIMS)
  })
  const heap = new Int32Array(n)
  const best = new Float32Array(n).fill(Number.NEGATIVE_INFINITY)
  const rows = { values: narrow, count: n, at: (row: number) => row * SIEVE_DIMS }
  products(openDotTiles(SIEVE_DIMS, heaps), middles, rows, (h, row, product) => {
    if (product <= best[row]!) return
    best[row] = product
    heap[row] = h
  })
  return Int32Array.from(heap.keys()).sort((a, b) => heap[a]! - heap[b]! || a - b)
}
