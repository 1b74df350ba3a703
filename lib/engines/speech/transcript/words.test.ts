import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readTranscript } from "../../../domain/transcript/given/read-transcript.ts"
import { normalizeWords, offsetWords } from "./words.ts"

const time = fc.double({ min: -5, max: 100, noNaN: true })
const anyWord = fc.record({ word: fc.constantFrom("boat", "honey", " star ", ""), start: time, end: time })

describe("normalizeWords", () => {
  it("removes NUL characters, which PostgreSQL rejects, and words that become empty", () => {
    const words = ["bo\0at", "\0", " \0 honey"].map((word, i) => ({ word, start: i, end: i + 1 }))
    expect(normalizeWords(words, 9, "0").map(({ word }) => word)).toEqual(["boat", "honey"])
  })

  it("turns any words into a valid transcript within the recording", () => {
    fc.assert(
      fc.property(fc.array(anyWord), fc.double({ min: 0, max: 90, noNaN: true }), (words, duration) => {
        const spans = normalizeWords(words, duration, "0")
        expect(readTranscript(spans).words).toEqual(spans)
        expect(spans).toHaveLength(words.filter((w) => w.word !== "").length)
        for (const { end } of spans) expect(end).toBeLessThanOrEqual(duration + 0.0005)
      }),
    )
  })

  it("keeps valid words and rounds their times to milliseconds", () => {
    const words = [
      { word: "old", start: 0.1, end: 0.30000000000000004 },
      { word: "boat", start: 0.31, end: 0.7 },
    ]
    expect(normalizeWords(words, 2, "0")).toEqual([
      { word: "old", start: 0.1, end: 0.3, speaker: "0" },
      { word: "boat", start: 0.31, end: 0.7, speaker: "0" },
    ])
  })
})

describe("offsetWords", () => {
  it("offsets start and end", () => {
    expect(offsetWords([{ word: "bee", start: 1, end: 2 }], 10)).toEqual([{ word: "bee", start: 11, end: 12 }])
  })
})
