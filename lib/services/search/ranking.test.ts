import { describe, expect, it } from "vitest"
import { demoteNearDuplicates, fuseRankings } from "./ranking.ts"

const hits = (...rows: number[]) => rows.map((row) => ({ row, score: 1 }))

describe("fuseRankings", () => {
  it("ranks hits in both rankings first and scales the best possible score to 1", () => {
    const fused = fuseRankings([
      { hits: hits(1, 2, 3), weight: 1 },
      { hits: hits(1, 3, 4), weight: 1 },
    ])
    expect(fused.map((h) => h.row)).toEqual([1, 3, 2, 4])
    expect(fused[0]!.score).toBeCloseTo(1)
  })
  it("adds weight / (40 + rank) of each ranking, ties by row", () => {
    const fused = fuseRankings([
      { hits: hits(5, 4), weight: 1 },
      { hits: hits(4, 5), weight: 1 },
      { hits: hits(3), weight: 0 },
    ])
    const score = (1 / 41 + 1 / 42) / (2 / 41)
    expect(fused.map((h) => h.row)).toEqual([4, 5, 3])
    expect(fused.map((h) => h.score)).toEqual([score, score, 0].map((x) => expect.closeTo(x, 12)))
  })
  it("weights the rankings", () => {
    const order = (a: number, b: number) =>
      fuseRankings([
        { hits: hits(1), weight: a },
        { hits: hits(2), weight: b },
      ]).map((h) => h.row)
    expect(order(1, 2)).toEqual([2, 1])
    expect(order(2, 1)).toEqual([1, 2])
  })
})

describe("demoteNearDuplicates", () => {
  const vectors = new Map([
    [1, Float32Array.of(1, 0)],
    [2, Float32Array.of(0.999, 0.0447)],
    [3, Float32Array.of(0, 1)],
  ])
  it("moves near-duplicates of earlier hits to the end", () => {
    expect(demoteNearDuplicates(hits(1, 2, 3), vectors, 2).map((h) => h.row)).toEqual([1, 3])
    expect(demoteNearDuplicates(hits(1, 2, 3), vectors, 3).map((h) => h.row)).toEqual([1, 3, 2])
  })
  it.each([
    [0.96, [1, 3, 2]],
    [0.94, [1, 2, 3]],
  ])("decides by a cosine similarity of 0.95 (%s)", (cosine, order) => {
    const similar = new Map([...vectors, [2, Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2))]])
    expect(demoteNearDuplicates(hits(1, 2, 3), similar, 3).map((h) => h.row)).toEqual(order)
  })
  it("decides by what is usual for the embedding model", () => {
    // Vectors on an arc, from each to the next the same angle: all are alike on a short arc, and differ on a long one.
    const demote = (step: number) => {
      const rows = Array.from({ length: 40 }, (_, i) => i)
      const arc = new Map(rows.map((i) => [i, Float32Array.of(Math.cos(step * i), Math.sin(step * i))]))
      return demoteNearDuplicates(hits(...rows), arc, 3).map(({ row }) => row)
    }
    expect(demote(0.04)).toEqual(demote(0.01))
    expect(demote(0.01)[1]).toBeLessThan(6)
  })
  it("keeps hits without a vector, and stops when enough are distinct", () => {
    expect(demoteNearDuplicates(hits(9, 8, 1, 2), vectors, 3).map((h) => h.row)).toEqual([9, 8, 1])
    expect(demoteNearDuplicates(hits(1, 2), vectors, 1).map((h) => h.row)).toEqual([1])
  })
})
