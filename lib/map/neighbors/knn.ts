import type { NeighbourGraph } from "../types.ts"
import { capped, NEIGHBOURS, openSearch, type Rows, type Search, searchPairs } from "./search.ts"
import { openDotRows, openDotTiles, PANEL } from "./simd.ts"

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

/** Room for the neighbours of n rows, k capped at n − 1, on memory that threads may share. */
export const openGraph = (n: number, k = NEIGHBOURS): NeighbourGraph => {
  const size = 4 * n * capped(k, n)
  return {
    k: capped(k, n),
    indices: new Int32Array(new SharedArrayBuffer(size)),
    similarities: new Float32Array(new SharedArrayBuffer(size)),
  }
}

/**
 * The neighbours of some rows among what a search has found, by their similarities in full, into their place in a graph.
 *
 * @param range of rows as the sieve, if there is one, lines them up: what is near lies near in memory then.
 */
export const neighboursAmong = (
  { vectors, n, dims }: Rows,
  { width, found, sieve }: Search,
  { from, to }: Range,
  { k, indices, similarities }: NeighbourGraph,
): void => {
  if (width === 0) return
  const best = new BestLists(1, k)
  const nearest = new BestLists(1, width)
  const rows = openDotRows(vectors, n, dims, width)
  for (let at = from; at < to; at++) {
    const i = sieve ? sieve.order[at]! : at
    nearest.clear()
    best.clear()
    for (const part of found)
      for (let e = i * width; e < (i + 1) * width && part.indices[e]! >= 0; e++)
        if (part.similarities[e]! >= nearest.worst[0]!) nearest.offer(0, part.indices[e]!, part.similarities[e]!)
    rows.others.set(nearest.indices)
    const own = rows.run(i, width)
    for (let e = 0; e < width; e++)
      if (own[e]! >= best.worst[0]!) best.offer(0, nearest.indices[e]!, Math.max(-1, Math.min(1, own[e]!)))
    indices.set(best.indices, i * k)
    similarities.set(best.similarities, i * k)
  }
}

/** The k nearest of all rows, by all pairs. */
export const nearestNeighbours = (vectors: Float32Array, n: number, dims: number, k = NEIGHBOURS): NeighbourGraph => {
  const rows = { vectors, n, dims }
  const search = openSearch(rows, 1, k)
  searchPairs(rows, search)
  const graph = openGraph(n, k)
  neighboursAmong(rows, search, { from: 0, to: n }, graph)
  return ownGraph(graph)
}

/** A graph on memory of its own, which can be handed over. */
export const ownGraph = ({ k, indices, similarities }: NeighbourGraph): NeighbourGraph => ({
  k,
  indices: Int32Array.from(indices),
  similarities: Float32Array.from(similarities),
})

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
