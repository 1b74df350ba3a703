import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findApproximateNeighbors, loadUsearch } from "./approximate-neighbors.ts"
import { findNeighbors } from "./nearest-neighbors.ts"

describe("findApproximateNeighbors", () => {
  it("finds at least 0.99 of the true neighbors and is deterministic", async () => {
    const [n, dims] = [2500, 64]
    const { vectors } = syntheticVectors(n, dims, 4)
    const usearch = (await loadUsearch())!
    const graph = findApproximateNeighbors(usearch, vectors, n, dims)!
    const truth = findNeighbors(vectors, n, dims)
    expect(graph.k).toBe(truth.k)
    let hits = 0
    let wrong = 0
    for (let i = 0; i < n; i++) {
      const own = truth.indices.subarray(i * truth.k, (i + 1) * truth.k)
      for (let e = i * graph.k; e < (i + 1) * graph.k; e++) {
        if (own.includes(graph.indices[e]!)) hits++
        if (graph.indices[e] === i) wrong++
        if (e > i * graph.k && graph.similarities[e]! > graph.similarities[e - 1]!) wrong++
      }
    }
    expect(wrong).toBe(0)
    expect(hits / truth.indices.length).toBeGreaterThan(0.99)
    expect(findApproximateNeighbors(usearch, vectors, n, dims)).toEqual(graph)
  })

  it("returns null when the index finds too few neighbors", () => {
    // An index that only ever returns row 0.
    class FirstRowIndex {
      add() {}
      search(rows: Float32Array) {
        const count = rows.length / 8
        return { get: () => ({ keys: BigUint64Array.of(0n) }), counts: new BigUint64Array(count).fill(1n) }
      }
    }
    const { vectors } = syntheticVectors(200, 8, 4)
    expect(findApproximateNeighbors({ Index: FirstRowIndex as never }, vectors, 200, 8)).toBeNull()
  })
})
