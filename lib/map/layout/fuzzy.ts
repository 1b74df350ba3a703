import type { NeighbourGraph } from "../types.ts"

/** Undirected weighted links, each pair once. */
export type FuzzyGraph = { readonly head: Int32Array; readonly tail: Int32Array; readonly weight: Float32Array }

const ITERATIONS = 64
const TOLERANCE = 1e-5
/** No neighbourhood is narrower than this part of the mean distance. */
const NARROWEST = 1e-3

/**
 * UMAP's fuzzy simplicial set (McInnes, Healy, Melville 2018): each row's distances are scaled so that its neighbours'
 * memberships sum to log2(k + 1), then the two directions of a pair are joined as a + b − ab.
 */
export const fuzzyGraph = (graph: NeighbourGraph, n: number): FuzzyGraph => {
  const { k, indices } = graph
  const strength = memberships(graph, n)
  const reverse = (i: number, j: number): number => {
    for (let e = j * k; e < (j + 1) * k; e++) if (indices[e] === i) return strength[e]!
    return -1
  }
  const head = new Int32Array(n * k)
  const tail = new Int32Array(n * k)
  const weight = new Float32Array(n * k)
  let count = 0
  for (let i = 0; i < n; i++) {
    for (let e = i * k; e < (i + 1) * k; e++) {
      const j = indices[e]!
      const back = reverse(i, j)
      if (back >= 0 && j < i) continue
      const other = Math.max(0, back)
      head[count] = i
      tail[count] = j
      weight[count++] = strength[e]! + other - strength[e]! * other
    }
  }
  return { head: head.slice(0, count), tail: tail.slice(0, count), weight: weight.slice(0, count) }
}

const memberships = ({ k, similarities }: NeighbourGraph, n: number): Float32Array => {
  const distance = similarities.map((s) => Math.max(0, 1 - s))
  const target = Math.log2(k + 1)
  const meanOfAll = distance.reduce((sum, d) => sum + d, 0) / Math.max(1, distance.length)
  const out = new Float32Array(n * k)
  for (let i = 0; i < n; i++) {
    const own = distance.subarray(i * k, (i + 1) * k)
    const nearest = own.find((d) => d > 0) ?? 0
    const mean = nearest > 0 ? own.reduce((sum, d) => sum + d, 0) / k : meanOfAll
    const width = Math.max(bandwidth(own, nearest, target), NARROWEST * mean, Number.MIN_VALUE)
    for (let e = 0; e < k; e++) {
      const beyond = own[e]! - nearest
      out[i * k + e] = beyond <= 0 ? 1 : Math.exp(-beyond / width)
    }
  }
  return out
}

/** The width at which the memberships sum to the target, by bisection. */
const bandwidth = (distances: Float32Array, nearest: number, target: number): number => {
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let width = 1
  for (let i = 0; i < ITERATIONS; i++) {
    let sum = 0
    for (const d of distances) sum += d > nearest ? Math.exp(-(d - nearest) / width) : 1
    if (Math.abs(sum - target) < TOLERANCE) break
    if (sum > target) high = width
    else low = width
    width = high === Number.POSITIVE_INFINITY ? width * 2 : (low + high) / 2
  }
  return width
}
