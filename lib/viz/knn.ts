import { capped, NEIGHBOURS, openSearch, type Search, searchPairs } from "./search.ts"
import { openDotRows, openDotTiles, PANEL } from "./simd.ts"
import type { NeighbourGraph } from "./types.ts"

/** The best k of what is offered to each of n rows, kept sorted: larger similarity first, then smaller index. */
export class BestLists {
  readonly indices: Int32Array
  readonly similarities: Float32Array
  /** What a candidate must reach to be worth offering. */
  readonly worst: Float32Array

  constructor(
    n: number,
    private readonly k: number,
  ) {
    this.indices = new Int32Array(n * k).fill(-1)
    this.similarities = new Float32Array(n * k).fill(Number.NEGATIVE_INFINITY)
    this.worst = new Float32Array(n).fill(Number.NEGATIVE_INFINITY)
  }

  offer(row: number, index: number, similarity: number): void {
    const { indices, similarities } = this
    const first = row * this.k
    let at = first + this.k - 1
    if (similarity === similarities[at] && index > indices[at]! && indices[at]! >= 0) return
    for (; at > first; at--) {
      const before = similarities[at - 1]!
      if (before > similarity || (before === similarity && indices[at - 1]! < index)) break
      similarities[at] = before
      indices[at] = indices[at - 1]!
    }
    similarities[at] = similarity
    indices[at] = index
    this.worst[row] = similarities[first + this.k - 1]!
  }

  clear(): void {
    this.indices.fill(-1)
    this.similarities.fill(Number.NEGATIVE_INFINITY)
    this.worst.fill(Number.NEGATIVE_INFINITY)
  }

  /** What was kept, with similarities that rounding has taken beyond one brought back. */
  graph(): NeighbourGraph {
    const { indices, similarities } = this
    for (let i = 0; i < similarities.length; i++) similarities[i] = Math.max(-1, Math.min(1, similarities[i]!))
    return { k: this.k, indices, similarities }
  }
}

export type Range = { readonly from: number; readonly to: number }

/**
 * The neighbours of some rows among what a search has found, by their similarities in full.
 *
 * @returns k capped at n − 1; lists of the rows `from` ≤ row < `to`.
 */
export const neighboursAmong = (
  vectors: Float32Array,
  n: number,
  dims: number,
  { width, found }: Search,
  { from, to }: Range = { from: 0, to: n },
  k = NEIGHBOURS,
): NeighbourGraph => {
  const best = new BestLists(to - from, capped(k, n))
  const nearest = new BestLists(1, width)
  const rows = openDotRows(vectors, n, dims, Math.max(1, width))
  for (let i = from; i < to && width > 0; i++) {
    nearest.clear()
    for (const { indices, similarities } of found)
      for (let e = i * width; e < (i + 1) * width && indices[e]! >= 0; e++)
        if (similarities[e]! >= nearest.worst[0]!) nearest.offer(0, indices[e]!, similarities[e]!)
    rows.others.set(nearest.indices)
    const similarities = rows.run(i, width)
    for (let e = 0; e < width; e++)
      if (similarities[e]! >= best.worst[i - from]!) best.offer(i - from, nearest.indices[e]!, similarities[e]!)
  }
  return best.graph()
}

/** The k nearest of all rows, by all pairs. */
export const nearestNeighbours = (vectors: Float32Array, n: number, dims: number, k = NEIGHBOURS): NeighbourGraph => {
  const search = openSearch({ vectors, n, dims }, 1, k)
  searchPairs({ vectors, n, dims }, search)
  return neighboursAmong(vectors, n, dims, search, { from: 0, to: n }, k)
}

type Among = {
  readonly vectors: Float32Array
  readonly dims: number
  /** Rows that ask, and rows that they choose from; nobody chooses itself. */
  readonly queries: Int32Array
  readonly among: Int32Array
  readonly k: number
}

/** The exact k nearest of some rows among others. The lists hold positions in `among`. */
export const nearestAmong = ({ vectors, dims, queries, among, k }: Among): BestLists => {
  const tiles = openDotTiles(dims, queries.length)
  const best = new BestLists(queries.length, k)
  queries.forEach((row, q) => {
    tiles.setQuery(q, vectors, row * dims)
  })
  for (let from = 0; from < among.length; from += tiles.blockRows) {
    const count = Math.min(tiles.blockRows, among.length - from)
    for (let r = 0; r < count; r++) tiles.setRow(r, vectors, among[from + r]! * dims)
    for (let first = 0; first < queries.length; first += PANEL) {
      const dots = tiles.run(first / PANEL, count)
      for (let r = 0; r < count; r++)
        for (let q = first; q < Math.min(first + PANEL, queries.length); q++) {
          const similarity = dots[PANEL * r + q - first]!
          if (similarity >= best.worst[q]! && among[from + r] !== queries[q]) best.offer(q, from + r, similarity)
        }
    }
  }
  return best
}

/** The same graph with at most k neighbours a row. */
export const nearestOf = (graph: NeighbourGraph, k: number): NeighbourGraph => {
  if (graph.k <= k) return graph
  const rows = graph.indices.length / graph.k
  const indices = new Int32Array(rows * k)
  const similarities = new Float32Array(rows * k)
  for (let i = 0; i < rows; i++) {
    indices.set(graph.indices.subarray(i * graph.k, i * graph.k + k), i * k)
    similarities.set(graph.similarities.subarray(i * graph.k, i * graph.k + k), i * k)
  }
  return { k, indices, similarities }
}
