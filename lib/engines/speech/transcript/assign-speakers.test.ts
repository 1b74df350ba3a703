import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SpeakerTurn } from "../types.ts"
import { assignSpeakers } from "./assign-speakers.ts"

const word = (text: string, start: number, end: number) => ({ word: text, start, end, speaker: "0" })
const speakersOf = (words: ReturnType<typeof word>[], turns: SpeakerTurn[]): string =>
  assignSpeakers(words, turns)
    .map((w) => w.speaker)
    .join("")

describe("assignSpeakers", () => {
  it("assigns each word the speaker with the longest overlap, numbered by first appearance", () => {
    const words = [word("a", 0, 1), word("b", 1, 2), word("c", 2, 3), word("d", 3, 4)]
    const turns = [
      { start: 0, end: 1.3, speaker: 7 },
      { start: 1.2, end: 4, speaker: 2 },
    ]
    expect(speakersOf(words, turns)).toBe("0111")
  })

  it("assigns a word in a gap to the nearest turn, and one far from any turn to the previous speaker", () => {
    const words = [word("a", 0, 1), word("b", 1.1, 1.3), word("c", 1.5, 1.7), word("d", 2, 9), word("far", 20, 21)]
    const turns = [
      { start: 0, end: 1, speaker: 0 },
      { start: 1.9, end: 9, speaker: 1 },
    ]
    expect(speakersOf(words, turns)).toBe("00111")
    expect(speakersOf(words, [...turns, { start: 22.5, end: 30, speaker: 0 }])).toBe("00111")
  })

  it("reassigns a short word within one speaker's sentence, but not a short answer", () => {
    const turns = [
      { start: 0, end: 2, speaker: 0 },
      { start: 2, end: 2.3, speaker: 1 },
      { start: 2.3, end: 5, speaker: 0 },
    ]
    expect(speakersOf([word("so", 0, 2), word("uh", 2, 2.3), word("then", 2.3, 5)], turns)).toBe("000")
    expect(speakersOf([word("Right?", 0, 2), word("Yes.", 2, 2.3), word("Then", 2.3, 5)], turns)).toBe("010")
  })

  it("keeps words and times, and numbers speakers from 0 by first appearance", () => {
    const span = fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 5, noNaN: true }))
    const turn = fc.tuple(span, fc.integer({ min: 0, max: 5 }))
    fc.assert(
      fc.property(fc.array(span), fc.array(turn), (spans, given) => {
        const words = spans
          .map(([start, length], i) => word(`w${i}`, start, start + length))
          .sort((a, b) => a.start - b.start)
        const turns = given.map(([[start, length], speaker]) => ({ start, end: start + length, speaker }))
        const assigned = assignSpeakers(words, turns)
        expect(assigned.map((w) => ({ ...w, speaker: "0" }))).toEqual(words)
        const order = [...new Set(assigned.map((w) => w.speaker))]
        expect(order).toEqual(order.map((_, i) => String(i)))
      }),
    )
  })
})
