import type { NeighbourGraph } from "#lib/viz/types.ts"

/**
 * How far neighbours in the layout are neighbours in the data (Venna and Kaski 2001): 1 is best, random near 0.5. Ranks
 * by cosine in the data, by Euclidean distance in the layout. Only every `step`-th row is asked.
 */
export const trustworthiness = (
  vectors: Float32Array,
  dims: number,
  coords: Float32Array,
  k = 15,
  step = 1,
): number => {
  const n = coords.length / 3
  let penalty = 0
  let asked = 0
  for (let i = 0; i < n; i += step) {
    asked++
    const similarity = Float64Array.from({ length: n }, (_, j) => dot(vectors, i, j, dims))
    const distance = Float64Array.from({ length: n }, (_, j) => squared(coords, i, j))
    similarity[i] = Number.NEGATIVE_INFINITY
    distance[i] = Number.POSITIVE_INFINITY
    const near = [...distance.keys()].sort((a, b) => distance[a]! - distance[b]!).slice(0, k)
    const rank = new Int32Array(n)
    ;[...similarity.keys()]
      .sort((a, b) => similarity[b]! - similarity[a]!)
      .forEach((j, r) => {
        rank[j] = r + 1
      })
    for (const j of near) penalty += Math.max(0, rank[j]! - k)
  }
  return 1 - (2 / (asked * k * (2 * n - 3 * k - 1))) * penalty
}

/** The share of neighbours that the layout keeps. */
export const neighboursKept = (knn: NeighbourGraph, coords: Float32Array, step = 1): number => {
  const n = coords.length / 3
  let kept = 0
  let asked = 0
  for (let i = 0; i < n; i += step) {
    const distance = Float64Array.from({ length: n }, (_, j) =>
      j === i ? Number.POSITIVE_INFINITY : squared(coords, i, j),
    )
    const near = new Set([...distance.keys()].sort((a, b) => distance[a]! - distance[b]!).slice(0, knn.k))
    for (let e = i * knn.k; e < (i + 1) * knn.k; e++) if (near.has(knn.indices[e]!)) kept++
    asked += knn.k
  }
  return kept / asked
}

const dot = (v: Float32Array, i: number, j: number, dims: number): number => {
  let sum = 0
  for (let d = 0; d < dims; d++) sum += v[i * dims + d]! * v[j * dims + d]!
  return sum
}

const squared = (c: Float32Array, i: number, j: number): number =>
  (c[3 * i]! - c[3 * j]!) ** 2 + (c[3 * i + 1]! - c[3 * j + 1]!) ** 2 + (c[3 * i + 2]! - c[3 * j + 2]!) ** 2
