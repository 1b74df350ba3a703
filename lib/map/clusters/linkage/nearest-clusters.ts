import { type DotRows, PANEL } from "../../kernels/dot-products.ts"
import { SortedTopLists } from "../../neighbors/top-lists.ts"
import type { ClusterForest } from "./cluster-forest.ts"

/** Up to this many queries are processed one at a time. */
const MAX_SINGLE_QUERIES = 2
/** The maximum number of queries in one pass over all clusters. */
export const MAX_QUERIES = 512
/** Clusters that queries are multiplied with in one call. They stay in the cache for all queries of a pass. */
export const CHUNK = 128
/** Clusters whose similarity is computed after a search by projected means, for each wanted one. */
const CANDIDATES_PER_RESULT = 4

/**
 * Finds the k most similar active clusters of each query in O(queries · clusters · dims). With projected means, which take
 * a fraction of the time, a cluster may be missed.
 *
 * @param slots the queries, at most `MAX_QUERIES`
 */
export const findNearestClusters = (forest: ClusterForest, slots: readonly number[], k: number): SortedTopLists => {
  const nearest = new SortedTopLists(slots.length, k)
  const { projectedMeans } = forest
  if (projectedMeans) searchProjected(forest, projectedMeans, slots, k, nearest)
  else if (slots.length <= MAX_SINGLE_QUERIES) slots.forEach((slot, q) => void searchOne(forest, slot, q, nearest))
  else searchMany(forest, forest.means, slots, nearest)
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

/** Computes the similarities of the clusters that are most similar by their projected means. */
const searchProjected = (
  forest: ClusterForest,
  projectedMeans: DotRows,
  slots: readonly number[],
  k: number,
  nearest: SortedTopLists,
): void => {
  const { activeSlots, means } = forest
  const width = Math.min(CANDIDATES_PER_RESULT * k, CHUNK, activeSlots.length - 1)
  const candidates = new SortedTopLists(slots.length, width)
  searchMany(forest, projectedMeans, slots, candidates)
  slots.forEach((slot, q) => {
    means.others.set(candidates.indices.subarray(q * width, (q + 1) * width))
    const similarities = means.run(slot, width)
    for (let i = 0; i < width; i++)
      if (similarities[i]! >= nearest.thresholds[q]!) nearest.add(q, means.others[i]!, similarities[i]!)
  })
}

const searchMany = (
  { activeSlots }: ClusterForest,
  means: DotRows,
  slots: readonly number[],
  nearest: SortedTopLists,
): void => {
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
