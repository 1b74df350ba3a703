import { openDotTiles, PANEL } from "./simd.ts"
import type { NeighbourGraph } from "./types.ts"

/** More than the layout and the edges need: with as many the clustering, too, hardly searches any more. */
export const NEIGHBOURS = 24

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
}

/**
 * Exact nearest neighbours by cosine. Every pair is computed once, in tiles that stay in the cache: n²·dims/2
 * multiplications, memory for one more copy of the vectors.
 *
 * @param vectors n × dims, rows of unit length. @returns k capped at n − 1.
 */
export const nearestNeighbours = (vectors: Float32Array, n: number, dims: number, k = NEIGHBOURS): NeighbourGraph => {
  const wanted = Math.max(0, Math.min(k, n - 1))
  if (wanted === 0) return { k: 0, indices: new Int32Array(0), similarities: new Float32Array(0) }
  const tiles = openDotTiles(dims, n)
  for (let i = 0; i < n; i++) tiles.setQuery(i, vectors, i * dims)
  const best = new BestLists(n, wanted)
  for (let from = 0; from < n; from += tiles.blockRows) {
    const rows = Math.min(tiles.blockRows, n - from)
    for (let r = 0; r < rows; r++) tiles.setRow(r, vectors, (from + r) * dims)
    for (let first = 0; first < from + rows; first += PANEL) {
      offerTile(best, tiles.run(first / PANEL, rows), { first, from, rows, n })
    }
  }
  const { similarities } = best
  for (let i = 0; i < similarities.length; i++) similarities[i] = Math.max(-1, Math.min(1, similarities[i]!))
  return { k: wanted, indices: best.indices, similarities }
}

type Tile = { readonly first: number; readonly from: number; readonly rows: number; readonly n: number }

/** Offers each pair i < j of a tile to both of its ends. */
const offerTile = (best: BestLists, dots: Float32Array, { first, from, rows, n }: Tile): void => {
  const { worst } = best
  for (let r = 0; r < rows; r++) {
    const j = from + r
    const end = Math.min(first + PANEL, j, n)
    for (let i = first; i < end; i++) {
      const similarity = dots[PANEL * r + i - first]!
      if (similarity >= worst[i]!) best.offer(i, j, similarity)
      if (similarity >= worst[j]!) best.offer(j, i, similarity)
    }
  }
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
