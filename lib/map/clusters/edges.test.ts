import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import type { LinkRules } from "../types.ts"
import { linkRelatedPoints } from "./edges.ts"

const linkPoints = (vectors: Float32Array, dims: number, rowOf: readonly number[], rules: Partial<LinkRules> = {}) => {
  const rows = vectors.length / Math.max(1, dims)
  const points = { vectors, rows, dims, rowOf: Int32Array.from(rowOf) }
  const { a, b, similarity } = linkRelatedPoints(points, findNeighbors(vectors, rows, dims), {
    levelOf: new Uint8Array(rowOf.length),
    groupOf: Int32Array.from(rowOf.keys()),
    ...rules,
  })
  return Array.from(a, (from, i) => ({ a: from, b: b[i]!, similarity: similarity[i]! }))
}

/** Points in subjects, one after the other: point i is of subject i mod 4 and of group i mod 10. */
const createSubjects = (n: number) => {
  const dims = 12
  const { vectors } = syntheticVectors(4, dims, 4, 3)
  const noise = syntheticVectors(n, dims, n, 5).vectors
  const mixed = new Float32Array(n * dims)
  for (let i = 0; i < n; i++) {
    const row = Array.from({ length: dims }, (_, d) => vectors[(i % 4) * dims + d]! + 0.4 * noise[i * dims + d]!)
    const length = Math.hypot(...row)
    row.forEach((x, d) => {
      mixed[i * dims + d] = x / length
    })
  }
  return { vectors: mixed, dims, all: Array.from({ length: n }, (_, i) => i) }
}

describe("linkRelatedPoints", () => {
  it("links points of different groups with the same subject, each pair once and in order", () => {
    const { vectors, dims, all } = createSubjects(120)
    const groupOf = Int32Array.from(all, (i) => i % 10)
    const links = linkPoints(vectors, dims, all, { groupOf })
    expect(links.length).toBeGreaterThan(120)
    expect(links.length).toBeLessThanOrEqual(Math.round(2.1 * 120))
    for (const { a, b } of links) {
      expect(a).toBeLessThan(b)
      expect(groupOf[a]).not.toBe(groupOf[b])
      expect(a % 4).toBe(b % 4)
    }
    const keys = links.map(({ a, b }) => 120 * a + b)
    expect(keys).toEqual([...new Set(keys)].sort((x, y) => x - y))
  })

  it("links points of the same level only", () => {
    const { vectors, dims, all } = createSubjects(60)
    const levelOf = Uint8Array.from(all, (i) => (i % 8 < 4 ? 2 : 3))
    const links = linkPoints(vectors, dims, all, { levelOf })
    expect(links.length).toBeGreaterThan(40)
    for (const { a, b } of links) expect(levelOf[a]).toBe(levelOf[b])
  })

  it("compares all points if the nearest ones are of the same group", () => {
    const { vectors, dims, all } = createSubjects(120)
    // The 30 points of a subject are its nearest neighbors, and 29 of them are of its own group.
    const groupOf = Int32Array.from(all, (i) => (i < 4 ? 100 + i : i % 4))
    const links = linkPoints(vectors, dims, all, { groupOf })
    for (const subject of [0, 1, 2, 3]) expect(links.some(({ a, b }) => a === subject && b % 4 === subject)).toBe(true)
  })

  it("links points with equal text, with similarity 1", () => {
    const links = linkPoints(Float32Array.from([1, 0, 0, 1]), 2, [0, 1, 0, 1], {
      groupOf: Int32Array.from([0, 0, 1, 1]),
    })
    expect(links).toEqual([
      { a: 0, b: 2, similarity: 1 },
      { a: 1, b: 3, similarity: 1 },
    ])
  })

  it("returns no edges for one point, none, or unrelated points", () => {
    expect(linkPoints(new Float32Array(0), 0, [])).toEqual([])
    expect(linkPoints(Float32Array.from([1, 0]), 2, [0])).toEqual([])
    expect(linkPoints(Float32Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]), 3, [0, 1, 2])).toEqual([])
  })
})
