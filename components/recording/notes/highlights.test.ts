import { describe, expect, it } from "vitest"
import type { Note } from "#lib/api/client/types.ts"
import { findHighlights, findOverlapping, groupHighlights } from "./highlights.ts"

const words = "one two three four five six".split(" ").map((word, i) => ({
  word,
  start: i,
  end: i + 0.8,
  speaker: "0",
}))
const note = (id: string, start_s: number | null, end_s: number | null) =>
  ({ id, start_s, end_s, color: start_s === null ? null : "green", text: id }) as Note

describe("highlights", () => {
  // Notes are listed newest first.
  const highlights = findHighlights(words, [
    note("new", 2, 5),
    note("whole", null, null),
    note("old", 1, 3),
    note("gone", 50, 60),
  ])
  it("are the words whose middle is in the range of a note, older ones first", () => {
    expect(highlights.map(({ id, first, end }) => [id, first, end])).toEqual([
      ["old", 1, 3],
      ["new", 2, 5],
    ])
    expect(findHighlights(words, [note("a", 1.3, 2.45)])).toMatchObject([{ first: 1, end: 3 }])
  })
  it("are found by the words that are selected, the newest first", () => {
    expect(findOverlapping(highlights, { first: 2, end: 3 })?.id).toBe("new")
    expect(findOverlapping(highlights, { first: 0, end: 2 })?.id).toBe("old")
    expect(findOverlapping(highlights, { first: 5, end: 6 })).toBeNull()
  })
  it("belong to paragraphs, whose lists stay the same objects", () => {
    const listOf = groupHighlights(highlights)
    expect(listOf({ first: 0, end: 2 }).map(({ id }) => id)).toEqual(["old"])
    expect(listOf({ first: 0, end: 2 })).toBe(listOf({ first: 0, end: 2 }))
    expect(listOf({ first: 5, end: 6 })).toBe(groupHighlights([])({ first: 0, end: 9 }))
  })
})
