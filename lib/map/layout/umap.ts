import { UMAP } from "umap-js"
import { limitNeighbors } from "../neighbors/nearest-neighbors.ts"
import type { NeighborGraph } from "../types.ts"
import { buildFuzzyGraph } from "./fuzzy-graph.ts"
import { optimizeLayout } from "./optimize-layout.ts"
import { principalComponents } from "./pca.ts"
import { randomFrom } from "./random.ts"

/** The maximum number of rows for umap-js. With more rows its nested arrays become slow. */
const UMAP_JS_MAX_ROWS = 200
const UMAP_MIN_ROWS = 4
const UMAP_NEIGHBORS = 15
/** The largest absolute coordinate of the initial layout. */
const INITIAL_RADIUS = 10
/** Noise added to the initial layout, which separates rows that start at the same point. */
const INITIAL_NOISE = 1e-3
/** More epochs improve neither trustworthiness nor the share of kept neighbors, from 20 to 10 000 rows. */
const EPOCHS = 200

export type LayoutOptions = { readonly seed: number; readonly graph: NeighborGraph }

/**
 * Computes a layout in three dimensions. From four rows on it is UMAP over the given neighbors. One row is at the
 * origin, two and three rows are their principal components with zeros as the missing coordinates. Deterministic for a
 * seed, and finite even if all rows are equal.
 *
 * @param vectors n × dims, rows of unit length
 * @returns n × 3
 */
export const computeLayout = (
  vectors: Float32Array,
  n: number,
  dims: number,
  { seed, graph }: LayoutOptions,
): Float32Array => {
  if (n < UMAP_MIN_ROWS) return layoutFewRows(vectors, n, dims)
  const neighbors = limitNeighbors(graph, UMAP_NEIGHBORS)
  return n <= UMAP_JS_MAX_ROWS
    ? layoutWithUmapJs(n, neighbors, seed)
    : layoutWithKernel(vectors, n, dims, neighbors, seed)
}

const layoutFewRows = (vectors: Float32Array, n: number, dims: number): Float32Array => {
  const out = new Float32Array(n * 3)
  const components = Math.min(3, n - 1, dims)
  if (components < 1) return out
  const scores = principalComponents(vectors, n, dims, components)
  for (let i = 0; i < n; i++) for (let c = 0; c < components; c++) out[3 * i + c] = scores[i * components + c]!
  return out
}

export const layoutWithUmapJs = (
  n: number,
  { k, indices, similarities }: NeighborGraph,
  seed: number,
): Float32Array => {
  // umap-js counts a row as its own first neighbor and requires more rows than neighbors.
  const width = Math.min(k + 1, n - 1)
  const rows = <T>(row: (i: number) => T[]) => Array.from({ length: n }, (_, i) => row(i))
  const others = (i: number, read: (e: number) => number) =>
    Array.from({ length: width - 1 }, (_, e) => read(i * k + e))
  const umap = new UMAP({ nComponents: 3, nNeighbors: width, nEpochs: EPOCHS, random: randomFrom(seed) })
  umap.setPrecomputedKNN(
    rows((i) => [i, ...others(i, (e) => indices[e]!)]),
    rows((i) => [0, ...others(i, (e) => Math.max(0, 1 - similarities[e]!))]),
  )
  return Float32Array.from(umap.fit(rows((i) => [i])).flat())
}

export const layoutWithKernel = (
  vectors: Float32Array,
  n: number,
  dims: number,
  graph: NeighborGraph,
  seed: number,
): Float32Array => {
  const coords = principalComponents(vectors, n, dims, 3)
  const largest = coords.reduce((max, x) => Math.max(max, Math.abs(x)), 0)
  const scale = largest > 0 ? INITIAL_RADIUS / largest : 0
  const random = randomFrom(seed)
  for (let i = 0; i < coords.length; i++) coords[i] = coords[i]! * scale + INITIAL_NOISE * (random() - 0.5)
  optimizeLayout(coords, buildFuzzyGraph(graph, n), EPOCHS, seed)
  return coords
}
