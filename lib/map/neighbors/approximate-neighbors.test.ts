import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { type DescentThreads, findApproximateNeighbors, runDescentStep } from "./approximate-neighbors.ts"
import { allocateGraph, findNeighbors, rankCandidates } from "./nearest-neighbors.ts"

const DIMS = 64

/** Runs the shares of several threads one after the other, in the given order. */
const runInTurn = (vectors: Float32Array, turns: readonly number[]): DescentThreads => {
  const rows = { vectors, n: vectors.length / DIMS, dims: DIMS }
  return {
    count: turns.length,
    compare: async (descent, breadth) => {
      for (const thread of turns) runDescentStep(rows, descent, breadth, thread)
    },
    rank: async (search) => {
      const graph = allocateGraph(rows.n)
      rankCandidates(rows, search, { from: 0, to: rows.n }, graph)
      return graph
    },
  }
}
const find = (vectors: Float32Array, turns: readonly number[] = [0]) =>
  findApproximateNeighbors({ vectors, n: vectors.length / DIMS, dims: DIMS }, runInTurn(vectors, turns))

describe("findApproximateNeighbors", () => {
  it.each([
    ["groups", 50],
    ["no groups", 2500],
  ])("finds more than 98.5 % of the true neighbors of vectors in %s", async (_, topics) => {
    const n = 2500
    const { vectors } = syntheticVectors(n, DIMS, 4, topics)
    const graph = (await find(vectors))!
    const truth = findNeighbors(vectors, n, DIMS)
    expect(graph.k).toBe(truth.k)
    let hits = 0
    let wrong = 0
    for (let i = 0; i < n; i++) {
      const own = truth.indices.subarray(i * truth.k, (i + 1) * truth.k)
      const found = graph.indices.subarray(i * graph.k, (i + 1) * graph.k)
      if (new Set(found).size < graph.k || found.includes(i)) wrong++
      hits += found.filter((j) => own.includes(j)).length
      for (let e = i * graph.k + 1; e < (i + 1) * graph.k; e++)
        if (graph.similarities[e]! > graph.similarities[e - 1]!) wrong++
    }
    expect(wrong).toBe(0)
    expect(hits / truth.indices.length).toBeGreaterThan(0.985)
  })

  it("finds the same neighbors whichever thread compares what", async () => {
    const { vectors } = syntheticVectors(1500, DIMS, 4)
    const graph = await find(vectors)
    expect(await find(vectors, [0, 1])).toEqual(graph)
    expect(await find(vectors, [1, 0])).toEqual(graph)
  })

  it("returns null when candidates are not neighbors", async () => {
    const { vectors } = syntheticVectors(2500, DIMS, 4)
    const idle: DescentThreads = { ...runInTurn(vectors, [0]), compare: async () => {} }
    expect(await findApproximateNeighbors({ vectors, n: 2500, dims: DIMS }, idle)).toBeNull()
  })
})
