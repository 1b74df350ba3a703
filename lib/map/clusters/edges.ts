import type { EdgeList, NeighbourGraph, PointSet } from "../types.ts"

export const EDGES_PER_POINT = 5
export const EDGE_SIMILARITY = 0.6

/**
 * Links every point with its nearest others, as far as they are similar enough; a link that both ends want is one.
 *
 * @param graph nearest rows; at least EDGES_PER_POINT of them where there are so many.
 */
export const nearestEdges = (
  { rows, rowOf }: PointSet,
  graph: NeighbourGraph,
  perPoint = EDGES_PER_POINT,
  floor = EDGE_SIMILARITY,
): EdgeList => {
  const n = rowOf.length
  const { start, members } = pointsByRow(rowOf, rows)
  const found = new Map<number, number>()
  for (let p = 0; p < n; p++) {
    const row = rowOf[p]!
    let left = perPoint
    const link = (towards: number, similarity: number) => {
      for (let m = start[towards]!; m < start[towards + 1]! && left > 0; m++) {
        const q = members[m]!
        if (q === p) continue
        found.set(Math.min(p, q) * n + Math.max(p, q), similarity)
        left--
      }
    }
    link(row, 1)
    for (let j = row * graph.k; j < (row + 1) * graph.k && left > 0; j++) {
      if (graph.similarities[j]! < floor) break
      link(graph.indices[j]!, graph.similarities[j]!)
    }
  }
  const keys = Float64Array.from(found.keys()).sort()
  return {
    a: Int32Array.from(keys, (key) => Math.floor(key / n)),
    b: Int32Array.from(keys, (key) => key % n),
    similarity: Float32Array.from(keys, (key) => found.get(key)!),
  }
}

/** Points grouped by row: members[start[r]] up to members[start[r + 1]] show row r, in order. */
const pointsByRow = (rowOf: Int32Array, rows: number) => {
  const start = new Int32Array(rows + 1)
  for (const row of rowOf) start[row + 1]!++
  for (let r = 0; r < rows; r++) start[r + 1]! += start[r]!
  const members = new Int32Array(rowOf.length)
  const next = start.slice()
  for (let p = 0; p < rowOf.length; p++) members[next[rowOf[p]!]!++] = p
  return { start, members }
}
