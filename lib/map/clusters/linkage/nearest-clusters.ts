import { PANEL } from "../../kernels/dot-products.ts"
import { SortedTopLists } from "../../neighbors/top-lists.ts"
import type { ClusterForest } from "./cluster-forest.ts"

/** Up to this many queries are processed one at a time. */
const MAX_SINGLE_QUERIES = 2
/** The maximum number of queries in one pass over all clusters. */
export const MAX_QUERIES = 512
/** Clusters that queries are multiplied with in one call. They stay in the cache for all queries of a pass. */
export const CHUNK = 128

/**
 * Finds the exact k most similar active clusters of each query in O(queries · clusters · dims).
 *
 * @param slots the queries, at most `MAX_QUERIES`
 */
export const findNearestClusters = (forest: ClusterForest, slots: readonly number[], k: number): SortedTopLists => {
  const nearest = new SortedTopLists(slots.length, k)
  if (slots.length <= MAX_SINGLE_QUERIES) slots.forEach((slot, q) => void searchOne(forest, slot, q, nearest))
  else searchMany(forest, slots, nearest)
  return nearest
}

const searchOne = ({ activeSlots, means }: ClusterForest, slot: number, q: number, nearest: SortedTopLists): void => {
  for (let from = 0; from < activeSlots.length; from += CHUNK) {
    const others = activeSlots.subarray(from, from + CHUNK)
    means.others.set(others)
    const similarities = means.run(slot, others.length)
    for (let i = 0; i < others.length; i++)
      if (similarities[i]! >= nearest.thresholds[q]! && others[i] !== slot) nearest.add(q, others[i]!, similarities[i]!)
  }
}

const searchMany = ({ activeSlots, means }: ClusterForest, slots: readonly number[], nearest: SortedTopLists): void => {
  slots.forEach((slot, q) => {
    means.setQuery(q, slot)
  })
  for (let from = 0; from < activeSlots.length; from += CHUNK) {
    const others = activeSlots.subarray(from, from + CHUNK)
    means.others.set(others)
    for (let first = 0; first < slots.length; first += PANEL) {
      const dots = means.runPanel(first / PANEL, others.length)
      for (let r = 0; r < others.length; r++) {
        for (let q = first; q < Math.min(first + PANEL, slots.length); q++) {
          const similarity = dots[PANEL * r + q - first]!
          if (similarity >= nearest.thresholds[q]! && others[r] !== slots[q]) nearest.add(q, others[r]!, similarity)
        }
      }
    }
  }
}
