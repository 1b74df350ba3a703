import type { NeighborGraph } from "../types.ts"

/** Undirected weighted links between rows, each pair once. */
export type FuzzyGraph = { readonly head: Int32Array; readonly tail: Int32Array; readonly weight: Float32Array }

const MAX_ITERATIONS = 64
const TOLERANCE = 1e-5
/** The minimum bandwidth of a row, as a share of the mean distance of its neighbors. */
const MIN_BANDWIDTH_SHARE = 1e-3

/**
 * Builds UMAP's fuzzy simplicial set (McInnes, Healy and Melville 2018). Each row gives its neighbors memberships that
 * sum to log2(k + 1). The memberships a and b of the two directions of a pair become the weight a + b − ab. O(n · k²).
 */
export const buildFuzzyGraph = (graph: NeighborGraph, n: number): FuzzyGraph => {
  const { k, indices } = graph
  const membership = computeMemberships(graph, n)
  const membershipOf = (i: number, j: number): number => {
    for (let e = j * k; e < (j + 1) * k; e++) if (indices[e] === i) return membership[e]!
    return -1
  }
  const head = new Int32Array(n * k)
  const tail = new Int32Array(n * k)
  const weight = new Float32Array(n * k)
  let count = 0
  for (let i = 0; i < n; i++) {
    for (let e = i * k; e < (i + 1) * k; e++) {
      const j = indices[e]!
      const back = membershipOf(i, j)
      if (back >= 0 && j < i) continue
      const b = Math.max(0, back)
      head[count] = i
      tail[count] = j
      weight[count++] = membership[e]! + b - membership[e]! * b
    }
  }
  return { head: head.slice(0, count), tail: tail.slice(0, count), weight: weight.slice(0, count) }
}

/** Returns the membership of each neighbor in each row's neighborhood, n × k: 1 for the nearest, falling to 0. */
const computeMemberships = ({ k, similarities }: NeighborGraph, n: number): Float32Array => {
  const distances = similarities.map((s) => Math.max(0, 1 - s))
  const target = Math.log2(k + 1)
  const overallMean = distances.reduce((sum, d) => sum + d, 0) / Math.max(1, distances.length)
  const out = new Float32Array(n * k)
  for (let i = 0; i < n; i++) {
    const own = distances.subarray(i * k, (i + 1) * k)
    const nearest = own.find((d) => d > 0) ?? 0
    const mean = nearest > 0 ? own.reduce((sum, d) => sum + d, 0) / k : overallMean
    const bandwidth = Math.max(findBandwidth(own, nearest, target), MIN_BANDWIDTH_SHARE * mean, Number.MIN_VALUE)
    for (let e = 0; e < k; e++) {
      const excess = own[e]! - nearest
      out[i * k + e] = excess <= 0 ? 1 : Math.exp(-excess / bandwidth)
    }
  }
  return out
}

/** Finds the bandwidth at which the memberships sum to the target, by bisection. */
const findBandwidth = (distances: Float32Array, nearest: number, target: number): number => {
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let bandwidth = 1
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    let sum = 0
    for (const d of distances) sum += d > nearest ? Math.exp(-(d - nearest) / bandwidth) : 1
    if (Math.abs(sum - target) < TOLERANCE) break
    if (sum > target) high = bandwidth
    else low = bandwidth
    bandwidth = high === Number.POSITIVE_INFINITY ? bandwidth * 2 : (low + high) / 2
  }
  return bandwidth
}
