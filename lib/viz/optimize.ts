import type { FuzzyGraph } from "./fuzzy.ts"
import { seedState } from "./random.ts"

/** The curve 1 / (1 + a·d^2b) that umap-learn fits for min_dist 0.1 and spread 1. */
const A = 1.5769434603113077
const B = 0.8950608779109733
const NEGATIVES = 5
const CLIP = 4

// The forces as tables over the squared distance, 64 steps an octave by the bits of the float: no power in the loop.
const SHIFT = 17
const LOWEST = (127 - 24) << (23 - SHIFT)
const ENTRIES = 48 << (23 - SHIFT)

const forceTable = (force: (squared: number) => number): Float32Array => {
  const bits = new Int32Array(1)
  const value = new Float32Array(bits.buffer)
  return Float32Array.from({ length: ENTRIES }, (_, i) => {
    bits[0] = ((i + LOWEST) << SHIFT) + (1 << (SHIFT - 1))
    return force(value[0]!)
  })
}
const attraction = (d2: number): number => (-2 * A * B * d2 ** (B - 1)) / (1 + A * d2 ** B)
const repulsion = (d2: number): number => (2 * B) / ((0.001 + d2) * (1 + A * d2 ** B))

/**
 * UMAP's layout by stochastic gradient descent with negative samples (McInnes, Healy, Melville 2018; umap-learn's
 * schedule: a link is drawn as often as its weight asks, the step falls linearly), in three dimensions, in place.
 *
 * @param coords n × 3, the start. The same for the same start and seed.
 */
export const optimizeLayout = (coords: Float32Array, graph: FuzzyGraph, epochs: number, seed: number): void => {
  const { head, tail, period } = schedule(graph, epochs)
  const n = coords.length / 3
  const pull = forceTable(attraction)
  const push = forceTable(repulsion)
  const due = period.slice()
  const bits = new Int32Array(1)
  const squared = new Float32Array(bits.buffer)
  let state = seedState(seed)
  for (let epoch = 0; epoch < epochs; epoch++) {
    const alpha = 1 - epoch / epochs
    for (let e = 0; e < head.length; e++) {
      if (due[e]! > epoch) continue
      due[e]! += period[e]!
      for (let side = 0; side < 2; side++) {
        const i = 3 * (side === 0 ? head[e]! : tail[e]!)
        const j = 3 * (side === 0 ? tail[e]! : head[e]!)
        let x = coords[i]!
        let y = coords[i + 1]!
        let z = coords[i + 2]!
        let dx = x - coords[j]!
        let dy = y - coords[j + 1]!
        let dz = z - coords[j + 2]!
        squared[0] = dx * dx + dy * dy + dz * dz
        let at = (bits[0]! >> SHIFT) - LOWEST
        if (at >= 0) {
          const force = pull[at < ENTRIES ? at : ENTRIES - 1]!
          dx = alpha * clip(force * dx)
          dy = alpha * clip(force * dy)
          dz = alpha * clip(force * dz)
          x += dx
          y += dy
          z += dz
          coords[j]! -= dx
          coords[j + 1]! -= dy
          coords[j + 2]! -= dz
        }
        for (let s = 0; s < NEGATIVES; s++) {
          state ^= state << 13
          state ^= state >>> 17
          state ^= state << 5
          const other = 3 * Math.floor((state >>> 0) * (n / 4294967296))
          if (other === i) continue
          dx = x - coords[other]!
          dy = y - coords[other + 1]!
          dz = z - coords[other + 2]!
          squared[0] = dx * dx + dy * dy + dz * dz
          at = (bits[0]! >> SHIFT) - LOWEST
          const force = push[at < 0 ? 0 : at < ENTRIES ? at : ENTRIES - 1]!
          x += alpha * clip(force * dx)
          y += alpha * clip(force * dy)
          z += alpha * clip(force * dz)
        }
        coords[i] = x
        coords[i + 1] = y
        coords[i + 2] = z
      }
    }
  }
}

const clip = (force: number): number => (force > CLIP ? CLIP : force < -CLIP ? -CLIP : force)

/** Links with the number of epochs between two draws; those too weak to be drawn at all are left out. */
const schedule = ({ head, tail, weight }: FuzzyGraph, epochs: number) => {
  const strongest = weight.reduce((best, w) => Math.max(best, w), 0)
  const kept = Uint32Array.from(weight.keys()).filter((e) => weight[e]! >= strongest / epochs)
  return {
    head: Int32Array.from(kept, (e) => head[e]!),
    tail: Int32Array.from(kept, (e) => tail[e]!),
    period: Float32Array.from(kept, (e) => strongest / weight[e]!),
  }
}
