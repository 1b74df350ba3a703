import { openDotTiles, PANEL } from "../kernels/dot-products.ts"
import type { KnownNeighbors, NeighborGraph } from "../types.ts"
import { capNeighbors, DEFAULT_NEIGHBORS, type Rows } from "./pair-search.ts"
import { SortedTopLists } from "./top-lists.ts"

/** If more than this share of the rows has to be searched, searching all of them is as fast. */
const MAX_SEARCHED_SHARE = 0.1

/**
 * Finds the nearest neighbors of all rows from those that were found before rows were added or removed. Only new rows, and
 * rows that lost a neighbor, are compared with all others. O(searched · n · dims).
 *
 * Returns null if too many rows have changed.
 */
export const updateNeighbors = ({ vectors, n, dims }: Rows, { graph, rowOf }: KnownNeighbors): NeighborGraph | null => {
  const k = capNeighbors(DEFAULT_NEIGHBORS, n)
  if (graph.k !== k || k === 0) return null
  const lists = new SortedTopLists(n, k)
  const isNew = new Uint8Array(n).fill(1)
  const isSearched = new Uint8Array(n).fill(1)
  rowOf.forEach((row, before) => {
    if (row < 0) return
    isNew[row] = 0
    isSearched[row] = copyList(graph, before, rowOf, lists, row) ? 0 : 1
  })
  const searched = Int32Array.from(isSearched.keys()).filter((row) => isSearched[row] === 1)
  if (searched.length > MAX_SEARCHED_SHARE * n) return null
  const tiles = openDotTiles(dims, searched.length)
  searched.forEach((row, slot) => {
    tiles.setQuery(slot, vectors, row * dims)
  })
  for (let from = 0; from < n; from += tiles.blockRows) {
    const count = Math.min(tiles.blockRows, n - from)
    for (let r = 0; r < count; r++) tiles.setRow(r, vectors, (from + r) * dims)
    for (let first = 0; first < searched.length; first += PANEL) {
      const dots = tiles.run(first / PANEL, count)
      for (let r = 0; r < count; r++)
        for (let slot = first; slot < Math.min(first + PANEL, searched.length); slot++) {
          const [row, other, similarity] = [searched[slot]!, from + r, dots[PANEL * r + slot - first]!]
          if (row === other) continue
          if (similarity >= lists.thresholds[row]!) lists.add(row, other, similarity)
          // A searched row finds the new rows itself.
          if (isNew[row] === 1 && isSearched[other] === 0 && similarity >= lists.thresholds[other]!)
            lists.add(other, row, similarity)
        }
    }
  }
  return lists.toGraph()
}

/** Copies the list of a row with the current numbers of its neighbors. Returns false, and copies nothing, if one was removed. */
const copyList = (
  { k, indices, similarities }: NeighborGraph,
  before: number,
  rowOf: Int32Array,
  lists: SortedTopLists,
  row: number,
): boolean => {
  for (let e = before * k; e < (before + 1) * k; e++) if (rowOf[indices[e]!]! < 0) return false
  for (let e = 0; e < k; e++) {
    lists.indices[row * k + e] = rowOf[indices[before * k + e]!]!
    lists.similarities[row * k + e] = similarities[before * k + e]!
  }
  lists.thresholds[row] = similarities[(before + 1) * k - 1]!
  return true
}
