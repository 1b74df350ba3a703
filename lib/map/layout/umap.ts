import { UMAP } from "umap-js"
import { nearestOf } from "../neighbors/knn.ts"
import type { NeighbourGraph } from "../types.ts"
import { fuzzyGraph } from "./fuzzy.ts"
import { optimizeLayout } from "./optimize.ts"
import { principalComponents } from "./pca.ts"
import { randomFrom } from "./random.ts"

/** Up to here umap-js lays out, in a fraction of a second; above, its nested arrays cost more and more. */
const UMAP_JS_MAX = 200
/** Fewer than these have no neighbourhoods to speak of. */
const UMAP_MIN = 4
const UMAP_NEIGHBOURS = 15
/** Half width of the start. */
const SPREAD = 10
/** More change neither trustworthiness nor the neighbours kept, from 20 points to 10 000, in either implementation. */
const EPOCHS = 200

export type UmapOptions = { readonly seed: number; readonly knn: NeighbourGraph }

/**
 * Three-dimensional layout: no row → empty, one → zeros, two and three → principal components, padded to three
 * columns; else UMAP over the given neighbours. Deterministic by seed, finite also for equal rows.
 *
 * @param vectors n × dims, rows of unit length. @returns n × 3.
 */
export const umap3d = (vectors: Float32Array, n: number, dims: number, { seed, knn }: UmapOptions): Float32Array => {
  if (n < UMAP_MIN) return padded(vectors, n, dims)
  const graph = nearestOf(knn, UMAP_NEIGHBOURS)
  return n <= UMAP_JS_MAX ? smallLayout(n, graph, seed) : largeLayout(vectors, n, dims, graph, seed)
}

const padded = (vectors: Float32Array, n: number, dims: number): Float32Array => {
  const out = new Float32Array(n * 3)
  const columns = Math.min(3, n - 1, dims)
  if (columns < 1) return out
  const scores = principalComponents(vectors, n, dims, columns)
  for (let i = 0; i < n; i++) for (let c = 0; c < columns; c++) out[3 * i + c] = scores[i * columns + c]!
  return out
}

export const smallLayout = (n: number, { k, indices, similarities }: NeighbourGraph, seed: number): Float32Array => {
  // umap-js counts the point itself as its first neighbour and wants more points than neighbours.
  const width = Math.min(k + 1, n - 1)
  const rows = <T>(row: (i: number) => T[]) => Array.from({ length: n }, (_, i) => row(i))
  const slice = (i: number, of: (e: number) => number) => Array.from({ length: width - 1 }, (_, e) => of(i * k + e))
  const umap = new UMAP({ nComponents: 3, nNeighbors: width, nEpochs: EPOCHS, random: randomFrom(seed) })
  umap.setPrecomputedKNN(
    rows((i) => [i, ...slice(i, (e) => indices[e]!)]),
    rows((i) => [0, ...slice(i, (e) => Math.max(0, 1 - similarities[e]!))]),
  )
  return Float32Array.from(umap.fit(rows((i) => [i])).flat())
}

export const largeLayout = (vectors: Float32Array, n: number, dims: number, knn: NeighbourGraph, seed: number) => {
  const coords = principalComponents(vectors, n, dims, 3)
  const widest = coords.reduce((best, x) => Math.max(best, Math.abs(x)), 0)
  const scale = widest > 0 ? SPREAD / widest : 0
  const random = randomFrom(seed)
  // A little noise parts rows that start at one place.
  for (let i = 0; i < coords.length; i++) coords[i] = coords[i]! * scale + 1e-3 * (random() - 0.5)
  optimizeLayout(coords, fuzzyGraph(knn, n), EPOCHS, seed)
  return coords
}
