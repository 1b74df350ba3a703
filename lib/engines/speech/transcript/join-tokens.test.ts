import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { joinTokens } from "./join-tokens.ts"

const at = (from_s: number, length_s: number) => ({ from_s, length_s })

describe("joinTokens", () => {
  it("joins tokens into words at spaces, appends punctuation, and offsets times by the segment's start", () => {
    const input = {
      tokens: [" al", "pha", " bra", "vo", ".", " It", "'", "s", " !"],
      timestamps: [0.48, 0.64, 0.96, 1.1, 1.2, 2, 2.1, 2.15, 2.4],
      durations: [0.16, 0.16, 0.1, 0.1, 0.3, 0.1, 0.05, 0.1, 0.1],
    }
    expect(joinTokens(input, at(10, 3)).map((w) => [w.word, +w.start.toFixed(3), +w.end.toFixed(3)])).toEqual([
      ["alpha", 10.48, 10.8],
      ["bravo.", 10.96, 11.2],
      ["It's!", 12, 12.25],
    ])
  })

  it("without durations, ends a word where the next one begins and the last one with the segment", () => {
    const input = { tokens: ["▁one", "▁two"], timestamps: [0.5, 1], durations: [] }
    expect(joinTokens(input, at(0, 2))).toEqual([
      { word: "one", start: 0.5, end: 1 },
      { word: "two", start: 1, end: 2 },
    ])
  })

  it("makes each token a word in a script without spaces", () => {
    const input = { tokens: ["我", "们", "。", "好"], timestamps: [0, 0.2, 0.4, 0.6], durations: [0.2, 0.2, 0.1, 0.2] }
    expect(joinTokens(input, at(0, 1)).map((w) => w.word)).toEqual(["我", "们。", "好"])
  })

  const token = fc.tuple(
    fc.constantFrom("", " ", "▁"),
    fc.constantFrom("a", "bc", "'", ".", "?", "你", "x-y", ""),
    fc.double({ min: -1, max: 40, noNaN: true }),
    fc.double({ min: 0, max: 3, noNaN: true }),
  )

  it("keeps every token, with nondecreasing starts, within the segment, and ends no word before its start", () => {
    fc.assert(
      fc.property(
        fc.array(token),
        fc.double({ min: 0.1, max: 30, noNaN: true }),
        fc.boolean(),
        (given, length_s, timed) => {
          const tokens = given.map(([space, text]) => space + text)
          const input = { tokens, timestamps: given.map((t) => t[2]), durations: timed ? given.map((t) => t[3]) : [] }
          const words = joinTokens(input, at(100, length_s))
          expect(words.map((w) => w.word).join("")).toBe(tokens.join("").replace(/[▁\s]/g, ""))
          for (const [i, w] of words.entries()) {
            expect(w.word).not.toBe("")
            expect(w.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? 100)
            expect(w.end).toBeGreaterThanOrEqual(w.start)
            expect(w.end).toBeLessThanOrEqual(100 + length_s)
          }
        },
      ),
    )
  })
})
