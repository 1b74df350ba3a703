import { LINK_BYTES, openDescent, PLACE_BYTES, STATE_BYTES } from "../neighbors/descent.ts"
import type { FuzzyGraph } from "./fuzzy.ts"
import { seedState } from "./random.ts"

/**
 * UMAP's layout by stochastic gradient descent with negative samples (McInnes, Healy, Melville 2018; umap-learn's
 * schedule: a link is drawn as often as its weight asks, the step falls linearly), in three dimensions, in place.
 *
 * @param coords n × 3, the start. The same for the same start and seed.
 */
export const optimizeLayout = (coords: Float32Array, graph: FuzzyGraph, epochs: number, seed: number): void => {
  const n = coords.length / 3
  const strongest = graph.weight.reduce((best, w) => Math.max(best, w), 0)
  // A link too weak to be drawn even once is left out.
  const drawn = Uint32Array.from(graph.weight.keys()).filter((e) => graph.weight[e]! >= strongest / epochs)
  if (drawn.length === 0) return
  const linksAt = STATE_BYTES + n * PLACE_BYTES
  const end = linksAt + drawn.length * LINK_BYTES
  const { buffer, run } = openDescent(end)
  const floats = new Float32Array(buffer)
  const ints = new Int32Array(buffer)
  for (let lane = 0; lane < 4; lane++) ints[lane] = seedState(seed + lane)
  const place = (i: number): number => STATE_BYTES + i * PLACE_BYTES
  for (let i = 0; i < n; i++) floats.set(coords.subarray(3 * i, 3 * i + 3), place(i) / 4)
  drawn.forEach((e, i) => {
    const at = (linksAt + i * LINK_BYTES) / 4
    ints[at] = place(graph.head[e]!)
    ints[at + 1] = place(graph.tail[e]!)
    floats[at + 2] = floats[at + 3] = strongest / graph.weight[e]!
  })
  // Random numbers have 24 bits there: what a float holds exactly.
  const scale = n / 2 ** 24
  for (let epoch = 0; epoch < epochs; epoch++)
    run.epoch(linksAt, end, STATE_BYTES, epoch, 1 - epoch / epochs, scale, n - 1)
  for (let i = 0; i < n; i++) coords.set(floats.subarray(place(i) / 4, place(i) / 4 + 3), 3 * i)
}
