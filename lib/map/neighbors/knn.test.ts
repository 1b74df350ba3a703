import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { nearestNeighbours, nearestOf } from "./knn.ts"

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

const rowsOf = (indices: Int32Array, k: number) =>
  Array.from({ length: indices.length / k }, (_, i) => [...indices.subarray(i * k, (i + 1) * k)])

describe("nearest neighbours", () => {
  it.each([
    [2, 8],
    [5, 3],
    [130, 17],
    [400, 64],
  ])("are those of a search through all pairs (%i rows of %i)", (n, dims) => {
    const { vectors } = syntheticVectors(n, dims, 3)
    const graph = nearestNeighbours(vectors, n, dims)
    expect(graph.k).toBe(Math.min(24, n - 1))
    expect(rowsOf(graph.indices, graph.k)).toEqual(bruteForce(vectors, n, dims, graph.k))
  })

  it("are fewer on demand, the nearest ones", () => {
    const { vectors } = syntheticVectors(60, 9, 3)
    expect(nearestOf(nearestNeighbours(vectors, 60, 9), 5)).toEqual(nearestNeighbours(vectors, 60, 9, 5))
  })

  it("has no lists for no row or one", () => {
    for (const n of [0, 1])
      expect(nearestNeighbours(new Float32Array(n * 4), n, 4)).toEqual({
        k: 0,
        indices: new Int32Array(0),
        similarities: new Float32Array(0),
      })
  })

  it("orders equal rows by number and keeps similarities within one", () => {
    const vectors = new Float32Array(6 * 4).map((_, i) => (i % 4 === 1 ? 1 : 0))
    const graph = nearestNeighbours(vectors, 6, 4, 3)
    expect(rowsOf(graph.indices, 3)).toEqual([
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
