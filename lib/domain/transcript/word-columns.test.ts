import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromWordColumns, toWordColumns } from "./word-columns.ts"
import type { WordSpan } from "./words.ts"

const word = (text: string, start: number, end: number, speaker = "0"): WordSpan => ({
  word: text,
  start,
  end,
  speaker,
})

describe("word columns", () => {
  it("count times from word to word, in the coarsest exact unit, and join speakers", () => {
    const words = [word("We", 1.5, 1.7), word("repair", 1.72, 2), word("Yes", 2, 2.5, "1")]
    expect(toWordColumns(words)).toEqual({
      per_second: 100,
      text: "We\nrepair\nYes",
      starts: [150, 22, 28],
      lengths: [20, 28, 50],
      speakers: [
        ["0", 2],
        ["1", 1],
      ],
    })
  })
  it("give the same words again", () => {
    const span = fc.record({
      word: fc.string({ minLength: 1 }).map((text) => text.replaceAll("\n", " ")),
      start: fc.integer({ min: 0, max: 1e8 }).map((ms) => ms / 1000),
      end: fc.integer({ min: 0, max: 1e8 }).map((ms) => ms / 1000),
      speaker: fc.constantFrom("0", "1", "2"),
    })
    fc.assert(
      fc.property(fc.array(span), (words) => {
        expect(fromWordColumns(toWordColumns(words)!)).toEqual(words)
      }),
    )
  })
  it("are not offered if they would change a time or a word", () => {
    expect(toWordColumns([word("a", 1 / 3, 1)])).toBeNull()
    expect(toWordColumns([word("a\nb", 0, 1)])).toBeNull()
  })
})
