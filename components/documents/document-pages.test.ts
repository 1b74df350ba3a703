import { describe, expect, it } from "vitest"
import type { Chunk } from "#lib/domain/documents.ts"
import { getOverlapLength, splitIntoPages } from "./document-pages.ts"

const chunk = (id: string, text: string, metadata: Partial<Chunk["metadata"]>): Chunk => ({
  id,
  doc_id: "d",
  text,
  metadata: { source: "/notes/a.pdf", ...metadata },
})

describe("document pages", () => {
  it("groups chunks by page, removes overlaps and shows a heading only when it changes", () => {
    const pages = splitIntoPages([
      chunk("d:0", "One. Two.", { page: 1, heading: "Hives" }),
      chunk("d:1", "Two. Three.", { page: 1, heading: "Hives" }),
      chunk("d:2", "Four.", { page: 3, heading: "Honey" }),
    ])
    expect(pages.map((s) => [s.page, ...s.parts.map((p) => [p.id, p.text.trim(), p.whole, p.heading])])).toEqual([
      [1, ["d:0", "One. Two.", "One. Two.", "Hives"], ["d:1", "Three.", "Two. Three.", null]],
      [3, ["d:2", "Four.", "Four.", "Honey"]],
    ])
  })
  it("returns one page for a format without pages and shows times as headings", () => {
    const [page, ...rest] = splitIntoPages([chunk("d:0", "a", { start_s: 83 }), chunk("d:1", "b", {})])
    expect([page?.page, page?.parts.map((p) => p.heading), rest]).toEqual([undefined, ["1:23", null], []])
  })
})

describe("getOverlapLength", () => {
  it("finds the sentences that two neighboring chunks share", () => {
    expect(getOverlapLength("one two three", "two three four")).toBe("two three".length)
    expect(getOverlapLength("one", "two")).toBe(0)
    expect(getOverlapLength("一。二三。", "二三。四。")).toBe(3)
  })
  it("ignores an overlap that is no complete sentence", () => {
    expect(getOverlapLength("by the tree", "each of them")).toBe(0)
    expect(getOverlapLength("at noon", "no one came")).toBe(0)
  })
})
