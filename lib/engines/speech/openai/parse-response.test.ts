import { describe, expect, it } from "vitest"
import { detectLanguageCode, extractWords, verboseResponse } from "./parse-response.ts"

const wordsOf = (response: unknown) => extractWords(verboseResponse.parse(response), 10)
const [hello, world] = [
  { word: "hello", start: 1, end: 2 },
  { word: "world", start: 4, end: 5 },
]

describe("a response of a speech server", () => {
  it("estimates a missing word time, and drops invalid words", () => {
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

  it("estimates a missing segment time, and drops invalid segments", () => {
    const segments = [{ text: "one two", start: 0, end: null }, { start: 3 }, { text: "three", start: 6, end: 8 }]
    const { words, estimated } = wordsOf({ segments })
    expect([words.map((w) => w.word), estimated]).toEqual([["one", "two", "three"], true])
    expect(words[1]!.end).toBe(6)
  })

  it("contains no speech if its text is empty, and is invalid without text, words and segments", () => {
    expect(wordsOf({ text: "" })).toEqual({ words: [], estimated: false })
    expect(wordsOf({ segments: [] }).words).toEqual([])
    for (const none of [{}, { error: "out of memory" }, { text: null }, [], "text", null])
      expect(verboseResponse.safeParse(none).success, JSON.stringify(none)).toBe(false)
  })

  it("is mapped to a language code, or to null", () => {
    const of = (language: unknown) => detectLanguageCode(verboseResponse.parse({ text: "", language }))
    expect(["english", "PT-br", "yue", "\0", "a language", 7].map(of)).toEqual(["en", "pt-br", "yue", null, null, null])
  })
})
