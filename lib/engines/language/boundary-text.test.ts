import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../domain/transcript/words.ts"
import {
  boundaryText,
  clock,
  linesOf,
  parseClock,
  speakerNumbers,
  suggestedCount,
  wordsWithin,
} from "./boundary-text.ts"

const word = (text: string, start: number, end: number, speaker = "0"): WordSpan => ({
  word: text,
  start,
  end,
  speaker,
})

describe("clock", () => {
  it("writes minutes and seconds, minutes past an hour too", () => {
    expect([0, 9.9, 61, 3599.99, 3600, 7265].map(clock)).toEqual([
      "00:00",
      "00:09",
      "01:01",
      "59:59",
      "60:00",
      "121:05",
    ])
  })

  it("reads hours, fractions and loose digits, and refuses the rest", () => {
    expect(["03:20", "3:20", "1:03:20", "03:20.5", " 03:20,25 ", "90:00"].map(parseClock)).toEqual([
      200, 200, 3800, 200.5, 200.25, 5400,
    ])
    expect(["", "200", "3m20s", "03:20-04:00", "-01:00", "a:b"].map(parseClock)).toEqual(Array(6).fill(null))
  })

  it("reads back what it writes", () => {
    fc.assert(fc.property(fc.nat(1e6), (s) => parseClock(clock(s)) === s))
  })
})

describe("boundaryText", () => {
  it("has one line a speaker turn and a blank line between buckets", () => {
    const words = [
      word("good", 0.2, 0.5, "7"),
      word("morning", 0.5, 1, "7"),
      word("hello", 1.2, 2, "3"),
      word("so", 29.5, 30.4, "7"),
      word("today", 30.5, 31, "7"),
      word("late", 3661, 3661.5, "3"),
    ]
    expect(boundaryText(words, 30)).toBe(
      [
        "00:00-00:01 Speaker 1: good morning",
        "00:01-00:02 Speaker 2: hello",
        "00:29-00:31 Speaker 1: so",
        "",
        "00:30-00:31 Speaker 1: today",
        "",
        "61:01-61:02 Speaker 2: late",
      ].join("\n"),
    )
  })

  it("is empty for a silent recording", () => {
    expect(boundaryText([], 30)).toBe("")
  })

  it("keeps a speaker's number in a part of the recording", () => {
    const words = [word("a", 0, 1, "x"), word("b", 40, 41, "y")]
    const [line] = linesOf(words.slice(1), 30, speakerNumbers(words))
    expect(line?.speaker).toBe(2)
  })

  it("holds every word once and in order", () => {
    const transcripts = fc.array(fc.record({ gap: fc.double({ min: 0, max: 40, noNaN: true }), who: fc.nat(2) }))
    fc.assert(
      fc.property(transcripts, fc.integer({ min: 5, max: 600 }), (steps, block) => {
        let at = 0
        const words = steps.map(({ gap, who }, i) => {
          at += gap
          return word(`w${i}`, at, at + 0.3, String(who))
        })
        expect(linesOf(words, block).flatMap((line) => line.words)).toEqual(words)
      }),
    )
  })
})

describe("wordsWithin", () => {
  it("takes the words that start in the stretch, its end excluded", () => {
    const words = [0, 1, 1, 2, 3].map((s, i) => word(`w${i}`, s, s + 1))
    expect(wordsWithin(words, { start_s: 1, end_s: 3 }).map((w) => w.word)).toEqual(["w1", "w2", "w3"])
  })
})

describe("suggestedCount", () => {
  it("is the minutes, from 2 to 7", () => {
    const counts = [30, 119, 180, 300, 3600].map((end_s) => suggestedCount({ start_s: 0, end_s }))
    expect(counts).toEqual([2, 2, 3, 5, 7])
  })
})
