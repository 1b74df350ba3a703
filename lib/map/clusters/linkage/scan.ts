import { BestLists } from "../../neighbors/knn.ts"
import { PANEL } from "../../neighbors/simd.ts"
import type { ClusterForest } from "./forest.ts"

/** So few are searched for one by one. */
const FEW = 2
/** Clusters that are searched for in one pass over all others, at most. */
export const BATCH = 512
/** Others that rows are multiplied with at once: they stay in the cache for all that are searched for. */
export const CHUNK = 128

/**
 * The k most similar living clusters of each of these, exactly.
 *
 * @param slots at most `BATCH`.
 */
export const scanAll = (forest: ClusterForest, slots: readonly number[], k: number): BestLists => {
  const best = new BestLists(slots.length, k)
  if (slots.length <= FEW) slots.forEach((slot, q) => void scanForOne(forest, slot, q, best))
  else scanForMany(forest, slots, best)
  return best
}

const scanForOne = ({ alive, means }: ClusterForest, slot: number, q: number, best: BestLists): void => {
  for (let from = 0; from < alive.length; from += CHUNK) {
    const part = alive.subarray(from, from + CHUNK)
    means.others.set(part)
    const similarities = means.run(slot, part.length)
    for (let i = 0; i < part.length; i++)
      if (similarities[i]! >= best.worst[q]! && part[i] !== slot) best.offer(q, part[i]!, similarities[i]!)
  }
}

const scanForMany = ({ alive, means }: ClusterForest, slots: readonly number[], best: BestLists): void => {
  slots.forEach((slot, q) => {
    means.setQuery(q, slot)
  })
  for (let from = 0; from < alive.length; from += CHUNK) {
    const part = alive.subarray(from, from + CHUNK)
    means.others.set(part)
    for (let first = 0; first < slots.length; first += PANEL) {
      const dots = means.runPanel(first / PANEL, part.length)
      for (let r = 0; r < part.length; r++) {
        for (let q = first; q < Math.min(first + PANEL, slots.length); q++) {
          const similarity = dots[PANEL * r + q - first]!
          if (similarity >= best.worst[q]! && part[r] !== slots[q]) best.offer(q, part[r]!, similarity)
        }
      }
    }
  }
}
