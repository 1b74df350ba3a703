import { openDotTiles, PANEL } from "../kernels/dot-products.ts"
import { SortedTopLists } from "./top-lists.ts"

type SubsetQuery = {
  readonly vectors: Float32Array
  readonly dims: number
  /** Row numbers to find neighbors for. */
  readonly queries: Int32Array
  /** Row numbers to choose from. A row is never its own neighbor. */
  readonly targets: Int32Array
  readonly k: number
}

/**
 * Finds the exact k nearest targets of each query in O(queries · targets · dims).
 *
 * @returns one list per query, of positions in `targets`
 */
export const findNearestTargets = ({ vectors, dims, queries, targets, k }: SubsetQuery): SortedTopLists => {
  const tiles = openDotTiles(dims, queries.length)
  const nearest = new SortedTopLists(queries.length, k)
  queries.forEach((row, q) => {
    tiles.setQuery(q, vectors, row * dims)
  })
  for (let from = 0; from < targets.length; from += tiles.blockRows) {
    const count = Math.min(tiles.blockRows, targets.length - from)
    for (let r = 0; r < count; r++) tiles.setRow(r, vectors, targets[from + r]! * dims)
    for (let first = 0; first < queries.length; first += PANEL) {
      const dots = tiles.run(first / PANEL, count)
      for (let r = 0; r < count; r++)
        for (let q = first; q < Math.min(first + PANEL, queries.length); q++) {
          const similarity = dots[PANEL * r + q - first]!
          if (similarity >= nearest.thresholds[q]! && targets[from + r] !== queries[q])
            nearest.add(q, from + r, similarity)
        }
    }
  }
  return nearest
}
