import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors, limitNeighbors } from "./nearest-neighbors.ts"

const bruteForce = (vectors: Float32Array, n: number, dims: number, k: number): number[][] =>
  Array.from({ length: n }, (_, i) => {
    const similarity = (j: number) => {
      let sum = 0
      for (let d = 0; d < dims; d++) sum += vectors[i * dims + d]! * vectors[j * dims + d]!
      return sum
    }
    const scored = Array.from({ length: n }, (_, j) => ({ j, s: similarity(j) })).filter(({ j }) => j !== i)
    return scored
      .sort((a, b) => b.s - a.s || a.j - b.j)
      .slice(0, k)
      .map(({ j }) => j)
  })

const splitRows = (indices: Int32Array, k: number) =>
  Array.from({ length: indices.length / k }, (_, i) => [...indices.subarray(i * k, (i + 1) * k)])

describe("findNeighbors", () => {
  it.each([
    [2, 8],
    [5, 3],
    [130, 17],
    [400, 64],
  ])("finds the same neighbors as a comparison of all pairs (%i rows of %i dimensions)", (n, dims) => {
    const { vectors } = syntheticVectors(n, dims, 3)
    const graph = findNeighbors(vectors, n, dims)
    expect(graph.k).toBe(Math.min(24, n - 1))
    expect(splitRows(graph.indices, graph.k)).toEqual(bruteForce(vectors, n, dims, graph.k))
  })

  it("keeps the nearest neighbors when the graph is limited", () => {
    const { vectors } = syntheticVectors(60, 9, 3)
    expect(limitNeighbors(findNeighbors(vectors, 60, 9), 5)).toEqual(findNeighbors(vectors, 60, 9, 5))
  })

  it("returns an empty graph for zero rows or one", () => {
    for (const n of [0, 1])
      expect(findNeighbors(new Float32Array(n * 4), n, 4)).toEqual({
        k: 0,
        indices: new Int32Array(0),
        similarities: new Float32Array(0),
      })
  })

  it("orders equal rows by number and limits similarities to 1", () => {
    const vectors = new Float32Array(6 * 4).map((_, i) => (i % 4 === 1 ? 1 : 0))
    const graph = findNeighbors(vectors, 6, 4, 3)
    expect(splitRows(graph.indices, 3)).toEqual([
      [1, 2, 3],
      [0, 2, 3],
      [0, 1, 3],
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ])
    expect(Math.max(...graph.similarities)).toBe(1)
  })
})
