import type { EdgeList, NeighborGraph, PointSet } from "../types.ts"

export const EDGES_PER_POINT = 5
export const MIN_EDGE_SIMILARITY = 0.6

/**
 * Links every point with its nearest points that are similar enough. A link that both ends choose appears once.
 *
 * @param graph nearest rows, at least `perPoint` of them per row where there are as many
 */
export const linkNearestPoints = (
  { rows, rowOf }: PointSet,
  graph: NeighborGraph,
  perPoint = EDGES_PER_POINT,
  minSimilarity = MIN_EDGE_SIMILARITY,
): EdgeList => {
  const n = rowOf.length
  const { start, members } = groupPointsByRow(rowOf, rows)
  const similarityByPair = new Map<number, number>()
  for (let p = 0; p < n; p++) {
    const row = rowOf[p]!
    let remaining = perPoint
    const linkWithRow = (other: number, similarity: number) => {
      for (let m = start[other]!; m < start[other + 1]! && remaining > 0; m++) {
        const q = members[m]!
        if (q === p) continue
        similarityByPair.set(Math.min(p, q) * n + Math.max(p, q), similarity)
        remaining--
      }
    }
    linkWithRow(row, 1)
    for (let e = row * graph.k; e < (row + 1) * graph.k && remaining > 0; e++) {
      if (graph.similarities[e]! < minSimilarity) break
      linkWithRow(graph.indices[e]!, graph.similarities[e]!)
    }
  }
  const pairs = Float64Array.from(similarityByPair.keys()).sort()
  return {
    a: Int32Array.from(pairs, (pair) => Math.floor(pair / n)),
    b: Int32Array.from(pairs, (pair) => pair % n),
    similarity: Float32Array.from(pairs, (pair) => similarityByPair.get(pair)!),
  }
}

/** Groups points by row: the points of row r are members[start[r]] to members[start[r + 1] − 1], in order. */
const groupPointsByRow = (rowOf: Int32Array, rows: number) => {
  const start = new Int32Array(rows + 1)
  for (const row of rowOf) start[row + 1]!++
  for (let r = 0; r < rows; r++) start[r + 1]! += start[r]!
  const members = new Int32Array(rowOf.length)
  const next = start.slice()
  for (let p = 0; p < rowOf.length; p++) members[next[rowOf[p]!]!++] = p
  return { start, members }
}
