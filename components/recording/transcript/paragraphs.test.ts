import { describe, expect, it } from "vitest"
import { findIndexAt, findWordAt, splitIntoParagraphs } from "./paragraphs.ts"

type Said = { readonly count: number; readonly speaker?: string; readonly seconds?: number; readonly pause?: number }

/** Words without punctuation. `pause` is the silence before the first word, in seconds. */
const say = (...turns: readonly Said[]) => {
  let at = 0
  return turns.flatMap(({ count, speaker = "0", seconds = 0.25, pause = 0 }) => {
    at += pause
    return Array.from({ length: count }, () => {
      const start = at
      at += seconds
      return { word: "word", start, end: at, speaker }
    })
  })
}
const lengthsOf = (words: ReturnType<typeof say>, cuts?: number[]) =>
  splitIntoParagraphs(words, cuts).map(({ first, end }) => end - first)

describe("splitIntoParagraphs", () => {
  it("splits speech without marks and pauses after 180 words", () => {
    expect(lengthsOf(say({ count: 400, seconds: 0.1 }))).toEqual([180, 180, 40])
  })

  it("splits at the first pause or sentence end after 90 words or 40 seconds", () => {
    const early = [{ count: 50 }, { count: 40, pause: 0.5 }]
    expect(lengthsOf(say(...early, { count: 60, pause: 0.5 }))).toEqual([90, 60])
    expect(lengthsOf(say(...early, { count: 60, pause: 0.25 }))).toEqual([150])
    const slow = say({ count: 60, seconds: 1 }).map((w, i) => (i === 20 || i === 45 ? { ...w, word: "end.”" } : w))
    expect(lengthsOf(slow)).toEqual([46, 14])
  })

  it("splits at turns and at boundaries between topics", () => {
    const turns = say({ count: 10 }, { count: 5, speaker: "1" }, { count: 5 })
    expect(splitIntoParagraphs(turns).map(({ speaker, end }) => [speaker, end])).toEqual([
      ["0", 10],
      ["1", 15],
      ["0", 20],
    ])
    expect(lengthsOf(say({ count: 10, seconds: 1 }), [0, 4, 4.5])).toEqual([4, 1, 5])
  })

  it("keeps a short turn that overlaps another speaker's words in that speaker's paragraph", () => {
    const interrupt = (count: number, pause: number) =>
      splitIntoParagraphs(say({ count: 20 }, { count, speaker: "1", pause }, { count: 20 })).map((p) => [
        p.speaker,
        p.end,
      ])
    expect(interrupt(2, -0.2)).toEqual([["0", 42]])
  })

  it("folds a short turn between two turns of a speaker into that speaker's paragraph", () => {
    const interrupt = (turn: Partial<Said>, after = "0") =>
      splitIntoParagraphs(say({ count: 20 }, { count: 4, speaker: "1", ...turn }, { count: 20, speaker: after })).length
    expect(interrupt({})).toBe(1)
    expect(interrupt({ count: 5 })).toBe(3)
    expect(interrupt({ seconds: 0.5 })).toBe(3)
    expect(interrupt({}, "2")).toBe(3)
    const words = say({ count: 20 }, { count: 2, speaker: "1" }, { count: 20 })
    words[21] = { ...words[21]!, word: "why?" }
    expect(splitIntoParagraphs(words)).toHaveLength(3)
    expect(splitIntoParagraphs(words.slice(0, 21))).toHaveLength(2)
  })

  it("ends with the last word of overlapping ones", () => {
    const words = [
      { word: "long", start: 0, end: 9, speaker: "0" },
      { word: "short", start: 1, end: 2, speaker: "0" },
    ]
    expect(splitIntoParagraphs(words)).toEqual([{ first: 0, end: 2, speaker: "0", start_s: 0, end_s: 9 }])
    expect(splitIntoParagraphs([])).toEqual([])
  })
})

describe("the item at a time", () => {
  it("is the last one that starts at or before it", () => {
    const words = say({ count: 3, seconds: 1 })
    expect([-1, 0, 0.5, 1, 9].map((time) => findWordAt(words, time))).toEqual([-1, 0, 0, 1, 2])
    expect(findIndexAt([{ start_s: 2 }], 2)).toBe(0)
  })
})
