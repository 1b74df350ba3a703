import { describe, expect, it } from "vitest"
import { detectLanguageCode, extractWords, verboseResponse } from "./parse-response.ts"

const wordsOf = (answer: unknown) => extractWords(verboseResponse.parse(answer), 10)
const [hello, world] = [
  { word: "hello", start: 1, end: 2 },
  { word: "world", start: 4, end: 5 },
]

describe("an answer of a speech server", () => {
  it("keeps its words where one of them has no time, which is then estimated, or is none", () => {
    const middle = { word: "wide", start: 2.5, end: null }
    expect(wordsOf({ words: [hello, middle, world] })).toEqual({
      words: [hello, { word: "wide", start: 2.5, end: 4 }, world],
      estimated: true,
    })
    expect(wordsOf({ words: [hello, { word: "wide" }, world] }).words[1]).toEqual({ word: "wide", start: 2, end: 4 })
    expect(wordsOf({ words: [hello, { word: "last", start: "x" }] }).words[1]).toMatchObject({ start: 2, end: 10 })
    expect(wordsOf({ words: [hello, null, 7, { text: "no" }, world] })).toEqual({
      words: [hello, world],
      estimated: false,
    })
  })

  it("keeps its segments where one of them is none or has no time", () => {
    const segments = [{ text: "one two", start: 0, end: null }, { start: 3 }, { text: "three", start: 6, end: 8 }]
    const { words, estimated } = wordsOf({ segments })
    expect([words.map((w) => w.word), estimated]).toEqual([["one", "two", "three"], true])
    expect(words[1]!.end).toBe(6)
  })

  it("says no speech by an empty text, and nothing at all by being empty", () => {
    expect(wordsOf({ text: "" })).toEqual({ words: [], estimated: false })
    expect(wordsOf({ segments: [] }).words).toEqual([])
    for (const none of [{}, { error: "out of memory" }, { text: null }, [], "text", null])
      expect(verboseResponse.safeParse(none).success, JSON.stringify(none)).toBe(false)
  })

  it("names a language by its code, or none", () => {
    const of = (language: unknown) => detectLanguageCode(verboseResponse.parse({ text: "", language }))
    expect(["english", "PT-br", "yue", "\0", "a language", 7].map(of)).toEqual(["en", "pt-br", "yue", null, null, null])
  })
})
