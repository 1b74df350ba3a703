import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { applyVocabulary } from "./apply-vocabulary.ts"
import type { WordSpan } from "./words.ts"

const spoken = (text: string, speakers = ""): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.5, speaker: speakers[i] ?? "0" }))
const textOf = (words: readonly WordSpan[]): string => words.map(({ word }) => word).join(" ")
const HOPPER = { term: "Grace Hopper", sounds_like: ["grace hop her", "grays hopper"] }
const KUBERNETES = { term: "Kubernetes", sounds_like: ["cooper netties"] }

describe("applyVocabulary", () => {
  it.each([
    ["We met grace hop her today", "We met Grace Hopper today"],
    ["We met “Grays hopper,” today", "We met “Grace Hopper,” today"],
    ["kubernetes and cooper netties.", "Kubernetes and Kubernetes."],
    ["a cooper makes barrels", "a cooper makes barrels"],
    ["KUBERNETES, Kubernetes’s", "Kubernetes, Kubernetes’s"],
    ["grace. hop her", "grace. hop her"],
    ["Hop her and graces hopper", "Hop her and graces hopper"],
    ["— Grays hopper —", "— Grace Hopper —"],
  ])("writes %j as %j", (heard, written) =>
    expect(textOf(applyVocabulary(spoken(heard), [HOPPER, KUBERNETES]))).toBe(written),
  )
  it.each([
    ["Bee wax sells", "Beeswax sells", { term: "beeswax", sounds_like: ["bee wax"] }],
    ["an eye phone", "an iPhone", { term: "iPhone", sounds_like: ["eye phone"] }],
    ["Eye phone sells", "iPhone sells", { term: "iPhone", sounds_like: ["eye phone"] }],
    ["der strasse mueller", "der Straße Müller", { term: "Straße Müller", sounds_like: ["strasse mueller"] }],
    ["mit MU\u0308LLER,", "mit Müller,", { term: "Müller", sounds_like: [] }],
    ["東 京 tower", "東亰 tower", { term: "東亰", sounds_like: ["東京"] }],
    ["heron", "heron", { term: "Hera", sounds_like: ["her on"] }],
  ])("writes %j as %j", (heard, written, entry) =>
    expect(textOf(applyVocabulary(spoken(heard), [entry]))).toBe(written),
  )
  it("takes time in proportion to the text, however many phrases begin alike", () => {
    const entries = Array.from({ length: 500 }, (_, i) => ({
      term: `Term ${i}`,
      sounds_like: Array.from({ length: 20 }, (_, j) => `a a a a a a a a a a ${i} ${j}`),
    }))
    const words = spoken(Array.from({ length: 50_000 }, () => "a").join(" "))
    const began = performance.now()
    expect(applyVocabulary(words, entries)).toEqual(words)
    expect(performance.now() - began).toBeLessThan(5000)
  })
  it("prefers the longest phrase", () => {
    const entries = [
      { term: "Ada", sounds_like: ["a da"] },
      { term: "Ada Lovelace", sounds_like: ["a da love lace"] },
    ]
    expect(textOf(applyVocabulary(spoken("a da love lace"), entries))).toBe("Ada Lovelace")
  })
  it("keeps the time of the phrase and leaves phrases of two speakers alone", () => {
    const [, , first, second, next] = applyVocabulary(spoken("We met grace hop her today"), [HOPPER])
    expect([first!.start, second!.end, next!.start]).toEqual([2, 4.5, 5])
    const both = spoken("grays hopper", "01")
    expect(applyVocabulary(both, [HOPPER])).toEqual(both)
  })
  it("keeps any transcript in order within its times, and changes nothing without entries", () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("grace", "hop", "her", "grays", "hopper.", "—", "Cooper", "netties")),
        (list) => {
          const words = list.length > 0 ? spoken(list.join(" ")) : []
          const written = applyVocabulary(words, [HOPPER, KUBERNETES])
          expect(written.every((word, i) => i === 0 || word.start >= written[i - 1]!.start)).toBe(true)
          expect(written.at(-1)?.end).toBe(words.at(-1)?.end)
          expect(applyVocabulary(words, [])).toEqual(words)
        },
      ),
    ))
})
