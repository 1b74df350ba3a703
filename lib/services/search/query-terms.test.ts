import { describe, expect, it } from "vitest"
import { buildExpansionTerms, buildSearchTerms, mergeExpansionHits, selectQuestionWords } from "./query-terms.ts"

describe("search terms of a question", () => {
  it("use the content words, or all words if there are no content words", () => {
    expect(selectQuestionWords("What does the waggle dance encode?")).toEqual(["waggle", "dance", "encode"])
    expect(selectQuestionWords("to be or not to be")).toEqual(["to", "be", "or", "not"])
    expect(selectQuestionWords('" ( * ^')).toEqual([])
    expect(selectQuestionWords("high-speed flight on 2026-11-20")).toEqual(["high", "speed", "flight", "2026-11-20"])
  })
  it("weight words by their number and include pairs of adjacent words", () => {
    expect(buildSearchTerms("Heat of the shock wave, the heat?", 0.3)).toEqual([
      { words: ["heat"], weight: 2 },
      { words: ["shock"], weight: 1 },
      { words: ["wave"], weight: 1 },
      { words: ["shock", "wave"], weight: 0.3 },
    ])
    expect(buildSearchTerms("What did he lose?", 0.3)).toEqual([
      { words: ["lose"], weight: 1 },
      { words: ["lost"], weight: 1 },
    ])
    expect(buildSearchTerms("shock wave", 0).map((t) => t.words)).toEqual([["shock"], ["wave"]])
  })
})

describe("expansion terms", () => {
  const chunks = [
    { text: "The bees waggle; they waggle and hum.", score: 3 },
    { text: "Bees like nectar.", score: 1 },
  ]
  it("are weighted by their likelihood in the chunks, and the weights sum to 1", () => {
    const found = new Map(buildExpansionTerms(chunks).map(({ words, weight }) => [words.join(" "), weight]))
    expect([...found.keys()]).toEqual(["waggle", "bees", "hum", "nectar"])
    expect([...found.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1)
    expect(buildExpansionTerms([])).toEqual([])
    expect(buildExpansionTerms([{ text: "and of the", score: 1 }])).toEqual([])
  })
  it("share the total weight with the question terms", () => {
    const terms = buildSearchTerms("bees dance", 0.5)
    const question = {
      terms,
      hits: [
        { row: 1, score: 4 },
        { row: 2, score: 2 },
      ],
    }
    expect(
      mergeExpansionHits(
        question,
        [
          { row: 3, score: 3 },
          { row: 2, score: 2 },
        ],
        0.5,
      ),
    ).toEqual([
      { row: 2, score: 1.5 },
      { row: 3, score: 1.5 },
      { row: 1, score: 1 },
    ])
  })
})
