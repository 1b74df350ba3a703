import { openKernels } from "../kernels/kernels.ts"
import type { FuzzyGraph } from "./fuzzy-graph.ts"
import { seedState } from "./random.ts"

// The memory of the kernel (assembly/umap-epoch.ts): the state of the random numbers, the points, the links.
const RANDOM_STATES = 4
const STATE_BYTES = 16
/** x, y, z and a zero, float32. */
const POINT_BYTES = 16
/** The addresses of two points, then the next epoch and the period as float32. */
const LINK_BYTES = 16

/** The kernel draws random numbers of 24 bits, as many as a float32 represents exactly. */
const RANDOM_VALUES = 2 ** 24

/**
 * Improves a UMAP layout in place by stochastic gradient descent with negative samples (McInnes, Healy and Melville
 * 2018), in three dimensions. The schedule is that of umap-learn: a link is updated in proportion to its weight, and the
 * learning rate falls linearly from 1 to 0. Deterministic. Time O(links · epochs).
 *
 * @param coords n × 3, the initial layout
 */
export const optimizeLayout = (coords: Float32Array, graph: FuzzyGraph, epochs: number, seed: number): void => {
  const n = coords.length / 3
  const maxWeight = graph.weight.reduce((max, w) => Math.max(max, w), 0)
  // A weaker link would not be updated even once.
  const links = Uint32Array.from(graph.weight.keys()).filter((e) => graph.weight[e]! >= maxWeight / epochs)
  if (links.length === 0) return
  const linksAt = STATE_BYTES + n * POINT_BYTES
  const end = linksAt + links.length * LINK_BYTES
  const { buffer, kernels } = openKernels(end)
  const floats = new Float32Array(buffer)
  const ints = new Int32Array(buffer)
  for (let lane = 0; lane < RANDOM_STATES; lane++) ints[lane] = seedState(seed + lane)
  const pointAt = (i: number): number => STATE_BYTES + i * POINT_BYTES
  for (let i = 0; i < n; i++) floats.set(coords.subarray(3 * i, 3 * i + 3), pointAt(i) / 4)
  links.forEach((e, i) => {
    const at = (linksAt + i * LINK_BYTES) / 4
    ints[at] = pointAt(graph.head[e]!)
    ints[at + 1] = pointAt(graph.tail[e]!)
    floats[at + 2] = floats[at + 3] = maxWeight / graph.weight[e]!
  })
  for (let epoch = 0; epoch < epochs; epoch++)
    kernels.runEpoch(linksAt, end, STATE_BYTES, epoch, 1 - epoch / epochs, n / RANDOM_VALUES, n - 1)
  for (let i = 0; i < n; i++) coords.set(floats.subarray(pointAt(i) / 4, pointAt(i) / 4 + 3), 3 * i)
}
