import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import { linkNearestPoints } from "./edges.ts"

const linkPoints = (vectors: Float32Array, rows: number, dims: number, rowOf: Int32Array) => {
  const { a, b, similarity } = linkNearestPoints({ vectors, rows, dims, rowOf }, findNeighbors(vectors, rows, dims))
  return Array.from(a, (from, i) => ({ a: from, b: b[i]!, similarity: similarity[i]! }))
}

describe("linkNearestPoints", () => {
  it("links each point with its five nearest above the minimum similarity, each pair once", () => {
    const [n, dims] = [150, 12]
    const { vectors } = syntheticVectors(n, dims, 4, 12)
    const wanted = new Set<string>()
    for (let i = 0; i < n; i++) {
      const scored = Array.from({ length: n }, (_, j) => {
        let s = 0
        for (let d = 0; d < dims; d++) s += vectors[i * dims + d]! * vectors[j * dims + d]!
        return { j, s }
      })
      const near = scored.filter(({ j, s }) => j !== i && s >= 0.6).sort((x, y) => y.s - x.s)
      for (const { j } of near.slice(0, 5)) wanted.add(`${Math.min(i, j)} ${Math.max(i, j)}`)
    }
    const edges = linkPoints(
      vectors,
      n,
      dims,
      Int32Array.from({ length: n }, (_, i) => i),
    )
    expect(edges.every((e) => e.a < e.b && e.similarity >= 0.6 && e.similarity <= 1)).toBe(true)
    expect(edges.map((e) => `${e.a} ${e.b}`)).toHaveLength(wanted.size)
    expect(new Set(edges.map((e) => `${e.a} ${e.b}`))).toEqual(wanted)
  })

  it("links points with equal text first, with similarity 1", () => {
    const vectors = Float32Array.from([1, 0, 0.8, 0.6, 0, 1])
    const edges = linkPoints(vectors, 3, 2, Int32Array.from([0, 1, 0, 2]))
    expect(edges).toEqual([
      { a: 0, b: 1, similarity: Math.fround(0.8) },
      { a: 0, b: 2, similarity: 1 },
      { a: 1, b: 2, similarity: Math.fround(0.8) },
      { a: 1, b: 3, similarity: Math.fround(0.6) },
    ])
  })

  it("returns no edges for one point or none", () => {
    expect(linkPoints(new Float32Array(0), 0, 0, new Int32Array(0))).toEqual([])
    expect(linkPoints(Float32Array.from([1, 0]), 1, 2, new Int32Array(1))).toEqual([])
  })
})
