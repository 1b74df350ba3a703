import { describe, expect, it } from "vitest"
import type { SearchResult } from "#lib/domain/map.ts"
import { listHighlightedHits, listHits, moveActiveRow } from "./map-search.ts"

const hit = (point_index: number, similarity: number) => ({ point_index, similarity }) as SearchResult
const indices = (hits: readonly SearchResult[]) => hits.map((h) => h.point_index)

describe("listHits", () => {
  it("skips results that would show 0 % and results that are not on the map", () => {
    expect(indices(listHits([hit(0, 0.9), hit(1, 0.004), hit(5, 0.8)], 3))).toEqual([0])
  })
})

describe("listHighlightedHits", () => {
  it("returns hits with at least half of the best similarity", () => {
    expect(listHighlightedHits([hit(4, 0.8), hit(2, 0.4), hit(3, 0.39)])).toEqual([4, 2])
  })

  it("returns null without hits", () => {
    expect(listHighlightedHits([])).toBeNull()
  })
})

describe("moveActiveRow", () => {
  it("starts at the first or last row and wraps around", () => {
    expect([moveActiveRow(-1, 1, 3), moveActiveRow(-1, -1, 3)]).toEqual([0, 2])
    expect([moveActiveRow(2, 1, 3), moveActiveRow(0, -1, 3)]).toEqual([0, 2])
  })

  it("returns -1 for an empty list", () => {
    expect(moveActiveRow(-1, 1, 0)).toBe(-1)
  })
})
