import { describe, expect, it } from "vitest"
import type { SearchResult, TopicPoint } from "#lib/domain/map.ts"
import { listHighlightedHits, listHits, moveActiveRow } from "./map-search.ts"

const hit = (point_index: number, score: number, topic = point_index) =>
  ({ point_index, score, clip_id: "c", topic_title: `topic ${topic}` }) as SearchResult
const points = [0, 1, 2].map((topic) => ({ clip_id: "c", topic_title: `topic ${topic}` }) as TopicPoint)
const indices = (hits: readonly SearchResult[]) => hits.map((h) => h.point_index)

describe("listHits", () => {
  it("keeps the order of the service, and skips results that the filters dim or that are not on the map", () => {
    const filtered = Uint8Array.of(1, 0, 1)
    expect(indices(listHits([hit(2, 0.4), hit(1, 0.9), hit(0, 0.8), hit(5, 0.8)], filtered, points))).toEqual([2, 0])
  })

  it("skips results of another version of the map, whose indices are other topics here", () => {
    const deleted = points.slice(1)
    expect(indices(listHits([hit(0, 0.9), hit(1, 0.8)], Uint8Array.of(1, 1), deleted))).toEqual([])
    expect(indices(listHits([hit(0, 0.9, 1)], Uint8Array.of(1, 1), deleted))).toEqual([0])
  })
})

describe("listHighlightedHits", () => {
  it("returns hits with at least half of the best score", () => {
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
