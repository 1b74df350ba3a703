import { describe, expect, it } from "vitest"
import { diversify } from "./diversify.ts"
import { interpolate, wordsOfBest } from "./expand.ts"
import { fuse } from "./fuse.ts"
import { searchWords, termsOf } from "./question.ts"

const hits = (...rows: number[]) => rows.map((row) => ({ row, score: 1 }))

describe("fuse", () => {
  it("puts first what both lists have, and scales the best possible to 1", () => {
    const fused = fuse([
      { hits: hits(1, 2, 3), weight: 1 },
      { hits: hits(1, 3, 4), weight: 1 },
    ])
    expect(fused.map((h) => h.row)).toEqual([1, 3, 2, 4])
    expect(fused[0]!.score).toBeCloseTo(1)
  })
  it("weighs the lists", () => {
    const order = (a: number, b: number) =>
      fuse([
        { hits: hits(1), weight: a },
        { hits: hits(2), weight: b },
      ]).map((h) => h.row)
    expect(order(1, 2)).toEqual([2, 1])
    expect(order(2, 1)).toEqual([1, 2])
  })
})

describe("diversify", () => {
  const vectors = new Map([
    [1, Float32Array.of(1, 0)],
    [2, Float32Array.of(0.999, 0.0447)],
    [3, Float32Array.of(0, 1)],
  ])
  it("puts what repeats an earlier one behind the rest", () => {
    expect(diversify(hits(1, 2, 3), vectors, 2).map((h) => h.row)).toEqual([1, 3])
    expect(diversify(hits(1, 2, 3), vectors, 3).map((h) => h.row)).toEqual([1, 3, 2])
  })
})

describe("the words of a question", () => {
  it("are those that carry meaning, or all when none does", () => {
    expect(searchWords("What does the waggle dance encode?")).toEqual(["waggle", "dance", "encode"])
    expect(searchWords("to be or not to be")).toEqual(["to", "be", "or", "not"])
    expect(searchWords('" ( * ^')).toEqual([])
    expect(searchWords("high-speed flight on 2026-11-20")).toEqual(["high", "speed", "flight", "2026-11-20"])
  })
  it("are looked for alone, as often as they are said, and in pairs that follow each other", () => {
    expect(termsOf("Heat of the shock wave, the heat?", 0.3)).toEqual([
      { words: ["heat"], weight: 2 },
      { words: ["shock"], weight: 1 },
      { words: ["wave"], weight: 1 },
      { words: ["shock", "wave"], weight: 0.3 },
    ])
    expect(termsOf("What did he lose?", 0.3)).toEqual([
      { words: ["lose"], weight: 1 },
      { words: ["lost"], weight: 1 },
    ])
    expect(termsOf("shock wave", 0).map((t) => t.words)).toEqual([["shock"], ["wave"]])
  })
})

describe("words of the best passages", () => {
  const passages = [
    { text: "The bees waggle; they waggle and hum.", score: 3 },
    { text: "Bees like nectar.", score: 1 },
  ]
  it("weigh by how likely they are there, the better passage's more, and 1 together", () => {
    const found = new Map(wordsOfBest(passages).map(({ words, weight }) => [words.join(" "), weight]))
    expect([...found.keys()]).toEqual(["waggle", "bees", "hum", "nectar"])
    expect([...found.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1)
    expect(wordsOfBest([])).toEqual([])
    expect(wordsOfBest([{ text: "and of the", score: 1 }])).toEqual([])
  })
  it("share the weight with the question", () => {
    const terms = termsOf("bees dance", 0.5)
    const asked = {
      terms,
      hits: [
        { row: 1, score: 4 },
        { row: 2, score: 2 },
      ],
    }
    expect(
      interpolate(
        asked,
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
