import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { estimateWordTimes } from "./estimate-word-times.ts"

describe("estimateWordTimes", () => {
  it("distributes words over the whole time range, longer ones with more time", () => {
    const words = estimateWordTimes("a longer  one", 10, 22)
    expect(words.map((w) => w.word)).toEqual(["a", "longer", "one"])
    expect(words[0]!.start).toBe(10)
    expect(words.at(-1)!.end).toBeCloseTo(22)
    expect(words[1]!.end - words[1]!.start).toBeGreaterThan(words[0]!.end - words[0]!.start)
  })

  it("loses no letter and never goes back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.double({ min: 0, max: 100, noNaN: true }), (text, length) => {
        const words = estimateWordTimes(text, 5, 5 + length)
        expect(words.map((w) => w.word).join("")).toBe(text.replace(/\s+/g, ""))
        for (const [i, w] of words.entries()) expect(w.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? 5)
      }),
    )
  })
})
