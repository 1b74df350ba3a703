import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { buildApproximateFilter } from "./approximate-filter.ts"
import { allocateGraph, findNeighbors, rankCandidates } from "./nearest-neighbors.ts"
import { createPairSearch, searchPairs } from "./pair-search.ts"

const DIMS = 400
const K = 24
/** Enough rows that all but few pairs are ruled out. */
const N = 3000

const search = (vectors: Float32Array, threads: readonly number[]) => {
  const rows = { vectors, n: N, dims: DIMS }
  const pairs = createPairSearch(rows, threads.length, K, 0, 0)
  for (const thread of threads) searchPairs(rows, pairs, thread)
  const graph = allocateGraph(N, K)
  rankCandidates(rows, pairs, { from: 0, to: N }, graph)
  return { graph, filter: pairs.filter }
}

describe("buildApproximateFilter", () => {
  it("rules out most pairs and keeps 99 % of the true neighbors", () => {
    const { vectors } = syntheticVectors(N, DIMS, 3)
    const { graph, filter } = search(vectors, [0])
    const truth = findNeighbors(vectors, N, DIMS, K)
    let hits = 0
    for (let i = 0; i < N; i++) {
      const own = new Set(truth.indices.subarray(i * K, (i + 1) * K))
      for (const j of graph.indices.subarray(i * K, (i + 1) * K)) if (own.delete(j)) hits++
    }
    expect(hits / truth.indices.length).toBeGreaterThan(0.99)
    const { shortRows, dims, scale, tolerance } = filter!
    let passed = 0
    for (let i = 0; i < N; i += 100) {
      const required = scale * (truth.similarities[(i + 1) * K - 1]! - tolerance)
      for (let j = 0; j < N; j++) {
        let product = 0
        for (let d = 0; d < dims; d++) product += shortRows[i * dims + d]! * shortRows[j * dims + d]!
        if (product >= required) passed++
      }
    }
    expect(passed / (N * (N / 100))).toBeLessThan(0.1)
  })

  it("gives the same neighbors on one thread and on two", () => {
    const { vectors } = syntheticVectors(N, DIMS, 3)
    expect(search(vectors, [0, 1]).graph).toEqual(search(vectors, [0]).graph)
  })

  it("returns null for noise and for few dimensions", () => {
    const noise = syntheticVectors(N, DIMS, 5, N).vectors
    expect(buildApproximateFilter(noise, { n: N, dims: DIMS, width: 30 })).toBeNull()
    const few = syntheticVectors(N, 100, 3).vectors
    expect(buildApproximateFilter(few, { n: N, dims: 100, width: 30 })).toBeNull()
  })
})
