import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findHits } from "./find-hits.ts"
import type { WordSpan } from "./words.ts"

const spoken = (text: string, speakers = ""): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.5, speaker: speakers[i] ?? "0" }))
const options = (find: string, more: { whole_words?: boolean; match_case?: boolean } = {}) => ({
  find,
  whole_words: true,
  match_case: false,
  ...more,
})

describe("findHits", () => {
  it.each([
    ["we run Cuban eddies, here", "cuban eddies", "Kubernetes", [["Cuban eddies,", "Kubernetes,"]]],
    ["cubans run cuban-made cars", "cuban", "Irish", [["cuban-made", "Irish-made"]]],
    [
      "Bees dance. The bees",
      "bees",
      "wasps",
      [
        ["Bees", "Wasps"],
        ["bees", "wasps"],
      ],
    ],
    ["Bees dance", "bees", "McBee", [["Bees", "McBee"]]],
    [
      "um, well um",
      "um",
      "",
      [
        ["um,", ""],
        ["um", ""],
      ],
    ],
    ["don’t go", "don't", "do not", [["don’t", "do not"]]],
    ["das Müller Haus", "mu\u0308ller", "Maier", [["Müller", "Maier"]]],
    ["Muller", "Müller", "x", []],
    ["日本 語", "日本", "x", [["日本", "x"]]],
    ["𝒜b 𝒜", "b", "x", []],
    ["one two", "three", "x", []],
  ])("in %j finds %j as a whole word", (text, find, replaceWith, hits) => {
    const found = findHits(spoken(text), options(find), replaceWith)
    expect(found.map((hit) => [hit.text, hit.replacement])).toEqual(hits)
  })
  it("finds parts of words, and several in one word, as one hit", () => {
    const found = findHits(spoken("haha hat, oh"), options("ha", { whole_words: false }), "o")
    expect(found).toEqual([
      { first: 0, end: 1, text: "haha", replacement: "oo" },
      { first: 1, end: 2, text: "hat,", replacement: "ot," },
    ])
    expect(findHits(spoken("a ba ba b"), options("a b", { whole_words: false }), "x")).toEqual([
      { first: 0, end: 4, text: "a ba ba b", replacement: "xxx" },
    ])
  })
  it("distinguishes case if asked, and leaves phrases of two speakers alone", () => {
    const found = findHits(spoken("Bees bees"), options("bees", { match_case: true }), "Wasps")
    expect(found).toEqual([{ first: 1, end: 2, text: "bees", replacement: "Wasps" }])
    expect(findHits(spoken("cuban eddies", "01"), options("cuban eddies"), "x")).toEqual([])
  })
  it("describes hits that follow each other, by their words", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "A,", "ab", "ba", "“ab”", "İ", "ß", "𝒜a", ","), { maxLength: 30 }),
        fc.constantFrom("a", "ab", "a a", "b a", "İ", ","),
        fc.boolean(),
        (list, find, whole_words) => {
          const words = list.length > 0 ? spoken(list.join(" ")) : []
          let end = 0
          for (const hit of findHits(words, options(find, { whole_words }), "x")) {
            expect(hit.first).toBeGreaterThanOrEqual(end)
            expect(hit.text).toBe(list.slice(hit.first, hit.end).join(" "))
            expect(hit.text.toLowerCase()).toContain(find.toLowerCase())
            end = hit.end
          }
        },
      ),
    ))
  it("takes time in proportion to the words", () => {
    const words = spoken(Array.from({ length: 50_000 }, () => "aaaa").join(" "))
    const began = performance.now()
    expect(findHits(words, options("aaaa aaab"), "x")).toEqual([])
    expect(findHits(words, options("a", { whole_words: false }), "b")).toHaveLength(50_000)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
