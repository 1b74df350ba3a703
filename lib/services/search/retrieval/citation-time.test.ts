import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { saidAt } from "./citation-time.ts"

/** A word a second. */
const words: WordSpan[] =
  "We began with boats. The hull was tarred in May. Then, bees: they form a cluster and shiver to stay warm. Good."
    .split(" ")
    .map((word, i) => ({ word, start: i, end: i + 0.9, speaker: "0" }))

describe("the second at which something was said", () => {
  it("is that of the sentence that is quoted, in whatever spacing and case", () => {
    expect(saidAt(words, "The hull was tarred in May.")).toBe(4)
    expect(saidAt(words, "they form a  cluster")).toBe(12)
    expect(saidAt(words, "We began with boats.")).toBe(0)
  })
  it("is that of the sentence that says most of a claim in other words", () => {
    expect(saidAt(words, "To stay warm, a cluster of bees shivers")).toBe(10)
    expect(saidAt(words, "In May somebody tarred the hull")).toBe(4)
  })
  it("is not known of what nobody said", () => {
    expect(saidAt(words, "A comet passes every seventy years")).toBeUndefined()
    expect(saidAt(words, "…")).toBeUndefined()
    expect(saidAt([], "The hull")).toBeUndefined()
  })
})
