import { openDotRows, openDotTiles, PANEL } from "../kernels/dot-products.ts"
import type { NeighborGraph } from "../types.ts"
import {
  capNeighbors,
  createPairSearch,
  DEFAULT_NEIGHBORS,
  type PairSearch,
  type Rows,
  searchPairs,
} from "./pair-search.ts"
import { SortedTopLists } from "./top-lists.ts"

/** The maximum number of rows that each thread copies to multiply them. 20 000 rows of 768 numbers take 61 MB. */
const MAX_COPIED_ROWS = 20_000

export type Range = { readonly from: number; readonly to: number }

/** A finished search: what its threads found. */
export type RankedSearch = Pick<PairSearch, "width" | "found" | "filter">

/** Allocates a graph of n rows on memory that threads can share. k is capped at n − 1. */
export const allocateGraph = (n: number, k = DEFAULT_NEIGHBORS): NeighborGraph => {
  const bytes = 4 * n * capNeighbors(k, n)
  return {
    k: capNeighbors(k, n),
    indices: new Int32Array(new SharedArrayBuffer(bytes)),
    similarities: new Float32Array(new SharedArrayBuffer(bytes)),
  }
}

/**
 * Computes the float32 similarities of the candidates of a search and writes the nearest ones into a graph.
 *
 * @param range positions in the order of the filter, if the search has one, because rows that are close in that order
 * share candidates; else row numbers
 */
export const rankCandidates = (
  { vectors, n, dims }: Rows,
  { width, found, filter }: RankedSearch,
  { from, to }: Range,
  { k, indices, similarities }: NeighborGraph,
): void => {
  if (width === 0) return
  const nearest = new SortedTopLists(1, k)
  const candidates = new SortedTopLists(1, width)
  const multiply = openRowProducts({ vectors, n, dims }, width)
  for (let at = from; at < to; at++) {
    const i = filter ? filter.order[at]! : at
    candidates.clear()
    nearest.clear()
    for (const share of found)
      for (let e = i * width; e < (i + 1) * width && share.indices[e]! >= 0; e++)
        if (share.similarities[e]! >= candidates.thresholds[0]!)
          candidates.add(0, share.indices[e]!, share.similarities[e]!)
    const exact = multiply(i, candidates.indices)
    for (let e = 0; e < width; e++)
      if (exact[e]! >= nearest.thresholds[0]!)
        nearest.add(0, candidates.indices[e]!, Math.max(-1, Math.min(1, exact[e]!)))
    indices.set(nearest.indices, i * k)
    similarities.set(nearest.similarities, i * k)
  }
}

/**
 * Returns a function that multiplies a row with up to `width` others. A large matrix is read in place, because the kernel
 * would need a copy of it in each thread.
 */
const openRowProducts = ({ vectors, n, dims }: Rows, width: number) => {
  if (n <= MAX_COPIED_ROWS) {
    const rows = openDotRows(vectors, n, dims, width)
    return (row: number, others: Int32Array): Float32Array => {
      rows.others.set(others)
      return rows.run(row, width)
    }
  }
  const tiles = openDotTiles(dims, 1, width + (width & 1))
  const products = new Float32Array(width)
  return (row: number, others: Int32Array): Float32Array => {
    tiles.setQuery(0, vectors, row * dims)
    others.forEach((other, slot) => {
      tiles.setRow(slot, vectors, Math.max(0, other) * dims)
    })
    const dots = tiles.run(0, width)
    return products.map((_, slot) => dots[PANEL * slot]!)
  }
}

/** Finds the k nearest neighbors of every row by comparing all pairs. */
export const findNeighbors = (vectors: Float32Array, n: number, dims: number, k = DEFAULT_NEIGHBORS): NeighborGraph => {
  const rows = { vectors, n, dims }
  const search = createPairSearch(rows, 1, k)
  searchPairs(rows, search)
  const graph = allocateGraph(n, k)
  rankCandidates(rows, search, { from: 0, to: n }, graph)
  return copyGraph(graph)
}

/** Copies a graph from shared memory to memory that can be transferred to another thread. */
export const copyGraph = ({ k, indices, similarities }: NeighborGraph): NeighborGraph => ({
  k,
  indices: Int32Array.from(indices),
  similarities: Float32Array.from(similarities),
})

/** Returns the same graph with at most k neighbors per row. */
export const limitNeighbors = (graph: NeighborGraph, k: number): NeighborGraph => {
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
