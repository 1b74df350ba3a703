import { describe, expect, it } from "vitest"
import { TopHits } from "./vector-rows.ts"

/** Scores with many ties, in an irregular order. */
const hits = Array.from({ length: 1000 }, (_, i) => ({ row: (i * 7919) % 1000, score: ((i * 104_729) % 97) / 97 }))

describe("TopHits", () => {
  it("keeps the best hits, and among equal scores those of the first rows", () => {
    const sorted = hits.toSorted((a, b) => b.score - a.score || a.row - b.row)
    for (const limit of [1, 7, 499, 500, 1000, 2000]) {
      const best = new TopHits(limit)
      for (const { row, score } of hits) best.add(row, score)
      expect(best.hits).toEqual(sorted.slice(0, limit))
    }
  })
  it("accepts hits after it was read", () => {
    const best = new TopHits(2)
    best.add(1, 0.5)
    expect(best.hits).toEqual([{ row: 1, score: 0.5 }])
    best.add(2, 0.9)
    best.add(3, 0.7)
    best.add(4, 0.7)
    expect(best.hits.map(({ row }) => row)).toEqual([2, 3])
  })
})
