import { describe, expect, it } from "vitest"
import { trustworthiness } from "#test/bench/viz/quality.ts"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import { computeLayout, layoutWithKernel, layoutWithUmapJs } from "./umap.ts"

const layout = (vectors: Float32Array, n: number, dims: number, seed = 7) =>
  computeLayout(vectors, n, dims, { seed, graph: findNeighbors(vectors, n, dims) })
const allFinite = (coords: Float32Array) => coords.every(Number.isFinite)

describe("computeLayout", () => {
  it("returns no coordinates for no point and zeros for one", () => {
    expect(layout(new Float32Array(0), 0, 8)).toEqual(new Float32Array(0))
    expect(layout(syntheticVectors(1, 8).vectors, 1, 8)).toEqual(new Float32Array(3))
  })

  it("places two points on a line and three on a plane, at their true distances", () => {
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

  it.each([4, 5, 17, 60, 250])("is finite and deterministic for a seed (%i points)", (n) => {
    const { vectors } = syntheticVectors(n, 16, n)
    const coords = layout(vectors, n, 16)
    expect(coords).toHaveLength(3 * n)
    expect(allFinite(coords)).toBe(true)
    expect(layout(vectors, n, 16)).toEqual(coords)
    expect(new Set(Array.from({ length: n }, (_, i) => coords.subarray(3 * i, 3 * i + 3).join())).size).toBe(n)
  })

  it.each([2, 3, 4, 12, 300])("is finite for %i copies of one vector", (n) => {
    const vectors = new Float32Array(n * 4).map((_, i) => (i % 4 === 0 ? 1 : 0))
    expect(allFinite(layout(vectors, n, 4))).toBe(true)
  })

  it("is finite for few points of one dimension", () => {
    for (const n of [2, 3, 4]) expect(allFinite(layout(new Float32Array(n).fill(1), n, 1))).toBe(true)
  })

  it("keeps neighborhoods as well as umap-js does", () => {
    const [n, dims] = [600, 64]
    const { vectors } = syntheticVectors(n, dims, 9)
    const graph = findNeighbors(vectors, n, dims)
    const ours = trustworthiness(vectors, dims, layoutWithKernel(vectors, n, dims, graph, 1))
    const theirs = trustworthiness(vectors, dims, layoutWithUmapJs(n, graph, 1))
    expect(theirs).toBeGreaterThan(0.9)
    expect(ours).toBeGreaterThan(theirs - 0.02)
  }, 30_000)

  it("keeps more neighborhoods than umap-js where points form no groups", () => {
    const [n, dims] = [800, 16]
    const { vectors } = syntheticVectors(n, dims, 9, n)
    const graph = findNeighbors(vectors, n, dims)
    const ours = trustworthiness(vectors, dims, layoutWithKernel(vectors, n, dims, graph, 1))
    expect(ours).toBeGreaterThan(trustworthiness(vectors, dims, layoutWithUmapJs(n, graph, 1)) + 0.016)
  }, 30_000)
})
