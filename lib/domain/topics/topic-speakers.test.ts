import { describe, expect, it } from "vitest"
import { findLeadingSpeakers } from "./topic-speakers.ts"

const words = (turns: string) =>
  [...turns].map((speaker, i) => ({ word: `w${i}`, start: i, end: i + (speaker === "b" ? 0.9 : 0.5), speaker }))
const topic = (start_s: number, end_s: number) => ({ start_s, duration_s: end_s - start_s })

describe("findLeadingSpeakers", () => {
  it("returns the speaker who speaks longest, not the one with most words", () => {
    expect(findLeadingSpeakers(words("aaabb"), [topic(0, 5)])).toEqual(["b"])
    expect(findLeadingSpeakers(words("aaaabb"), [topic(0, 6), topic(0, 4), topic(4, 6)])).toEqual(["a", "a", "b"])
  })

  it("counts a word for the topic in which it begins", () => {
    expect(findLeadingSpeakers(words("ab"), [topic(0, 1), topic(0.5, 2)])).toEqual(["a", "b"])
  })

  it("returns null for a topic without words, and on a tie the first to speak", () => {
    expect(findLeadingSpeakers(words("cacc"), [topic(10, 20), topic(1, 1), topic(0, 2)])).toEqual([null, null, "c"])
    expect(findLeadingSpeakers([], [topic(0, 9)])).toEqual([null])
  })
})
