import { describe, expect, it } from "vitest"
import { trustworthiness } from "#test/bench/viz/quality.ts"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { nearestNeighbours } from "../neighbors/knn.ts"
import { largeLayout, smallLayout, umap3d } from "./umap.ts"

const layout = (vectors: Float32Array, n: number, dims: number, seed = 7) =>
  umap3d(vectors, n, dims, { seed, knn: nearestNeighbours(vectors, n, dims) })
const finite = (coords: Float32Array) => coords.every(Number.isFinite)

describe("umap3d", () => {
  it("is empty for no point and zeros for one", () => {
    expect(layout(new Float32Array(0), 0, 8)).toEqual(new Float32Array(0))
    expect(layout(syntheticVectors(1, 8).vectors, 1, 8)).toEqual(new Float32Array(3))
  })

  it("shows two points on a line and three on a plane, at their true distances", () => {
    const { vectors } = syntheticVectors(3, 8, 2, 3)
    const two = layout(vectors.slice(0, 16), 2, 8)
    expect([two[1], two[2], two[4], two[5]]).toEqual([0, 0, 0, 0])
    expect(two[0]).toBeCloseTo(-two[3]!, 5)
    const three = layout(vectors, 3, 8)
    expect([three[2], three[5], three[8]]).toEqual([0, 0, 0])
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const shown = Math.hypot(...[0, 1, 2].map((c) => three[3 * i + c]! - three[3 * j + c]!))
      const true_ = Math.hypot(...Array.from({ length: 8 }, (_, d) => vectors[8 * i + d]! - vectors[8 * j + d]!))
      expect(shown).toBeCloseTo(true_, 3)
    }
  })

  it.each([4, 5, 17, 60, 250])("is finite and the same again for the same seed (%i points)", (n) => {
    const { vectors } = syntheticVectors(n, 16, n)
    const coords = layout(vectors, n, 16)
    expect(coords).toHaveLength(3 * n)
    expect(finite(coords)).toBe(true)
    expect(layout(vectors, n, 16)).toEqual(coords)
    expect(new Set(Array.from({ length: n }, (_, i) => coords.subarray(3 * i, 3 * i + 3).join())).size).toBe(n)
  })

  it.each([2, 3, 4, 12, 300])("is finite for %i copies of one vector", (n) => {
    const vectors = new Float32Array(n * 4).map((_, i) => (i % 4 === 0 ? 1 : 0))
    expect(finite(layout(vectors, n, 4))).toBe(true)
  })

  it("is finite for few points in one dimension", () => {
    for (const n of [2, 3, 4]) expect(finite(layout(new Float32Array(n).fill(1), n, 1))).toBe(true)
  })

  it("keeps neighbourhoods as well as umap-js does", () => {
    const [n, dims] = [600, 64]
    const { vectors } = syntheticVectors(n, dims, 9)
    const knn = nearestNeighbours(vectors, n, dims)
    const ours = trustworthiness(vectors, dims, largeLayout(vectors, n, dims, knn, 1))
    const theirs = trustworthiness(vectors, dims, smallLayout(n, knn, 1))
    expect(theirs).toBeGreaterThan(0.9)
    expect(ours).toBeGreaterThan(theirs - 0.02)
  }, 30_000)
})
