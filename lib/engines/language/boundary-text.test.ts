import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { TopicDetail } from "../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import {
  formatLines,
  formatMinutes,
  groupIntoLines,
  numberSpeakers,
  parseClock,
  suggestTopicCount,
} from "./boundary-text.ts"
import { selectWords } from "./word-range.ts"

const word = (text: string, start: number, end: number, speaker = "0"): WordSpan => ({
  word: text,
  start,
  end,
  speaker,
})

describe("formatMinutes and parseClock", () => {
  it("format minutes and seconds, with minutes above 59", () => {
    expect([0, 9.9, 61, 3599.99, 3600, 7265].map(formatMinutes)).toEqual([
      "00:00",
      "00:09",
      "01:01",
      "59:59",
      "60:00",
      "121:05",
    ])
  })

  it("parse hours, fractions and single digits, and return null for other texts", () => {
    expect(["03:20", "3:20", "1:03:20", "03:20.5", " 03:20,25 ", "90:00"].map(parseClock)).toEqual([
      200, 200, 3800, 200.5, 200.25, 5400,
    ])
    expect(["", "200", "3m20s", "03:20-04:00", "-01:00", "a:b"].map(parseClock)).toEqual(Array(6).fill(null))
  })

  it("survive a round trip", () => {
    fc.assert(fc.property(fc.nat(1e6), (s) => parseClock(formatMinutes(s)) === s))
  })
})

describe("groupIntoLines", () => {
  it("returns one line per speaker turn, with a blank line between blocks", () => {
    const words = [
      word("good", 0.2, 0.5, "7"),
      word("morning", 0.5, 1, "7"),
      word("hello", 1.2, 2, "3"),
      word("so", 29.5, 30.4, "7"),
      word("today", 30.5, 31, "7"),
      word("late", 3661, 3661.5, "3"),
    ]
    expect(formatLines(groupIntoLines(words, 30))).toBe(
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

  it("returns an empty text for a recording without words", () => {
    expect(formatLines([])).toBe("")
  })

  it("keeps the number of a speaker in an excerpt", () => {
    const words = [word("a", 0, 1, "x"), word("b", 40, 41, "y")]
    const [line] = groupIntoLines(words.slice(1), 30, numberSpeakers(words))
    expect(line?.speaker).toBe(2)
  })

  it("returns every word once and in order", () => {
    const transcripts = fc.array(fc.record({ gap: fc.double({ min: 0, max: 40, noNaN: true }), who: fc.nat(2) }))
    fc.assert(
      fc.property(transcripts, fc.integer({ min: 5, max: 600 }), (steps, block) => {
        let at = 0
        const words = steps.map(({ gap, who }, i) => {
          at += gap
          return word(`w${i}`, at, at + 0.3, String(who))
        })
        expect(groupIntoLines(words, block).flatMap((line) => line.words)).toEqual(words)
      }),
    )
  })
})

describe("selectWords", () => {
  it("returns the words that start in the span, without its end", () => {
    const words = [0, 1, 1, 2, 3].map((s, i) => word(`w${i}`, s, s + 1))
    expect(selectWords(words, { start_s: 1, end_s: 3 }).map((w) => w.word)).toEqual(["w1", "w2", "w3"])
  })
})

describe("suggestTopicCount", () => {
  const counts = (detail: TopicDetail, ...minutes: number[]) =>
    minutes.map((m) => suggestTopicCount({ start_s: 0, end_s: m * 60 }, detail))

  it("returns one per minute from 2 to 7, and more above an hour", () => {
    expect(counts("normal", 0.5, 2, 3, 5, 60, 120, 240)).toEqual([2, 2, 3, 5, 7, 10, 14])
  })

  it("returns half of them for fewer topics, and at most one per minute for more", () => {
    expect(counts("fewer", 3, 60, 240)).toEqual([2, 4, 7])
    expect(counts("more", 3, 10, 60, 240)).toEqual([3, 10, 18, 35])
  })
})
