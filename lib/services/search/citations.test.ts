import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { findClaimTime } from "./citations.ts"

/** One word per second. */
const words: WordSpan[] =
  "We began with boats. The hull was tarred in May. Then, bees: they form a cluster and shiver to stay warm. Good."
    .split(" ")
    .map((word, i) => ({ word, start: i, end: i + 0.9, speaker: "0" }))

describe("findClaimTime", () => {
  it("finds a quotation regardless of spacing and case", () => {
    expect(findClaimTime(words, "The hull was tarred in May.")).toBe(4)
    expect(findClaimTime(words, "they form a  cluster")).toBe(12)
    expect(findClaimTime(words, "We began with boats.")).toBe(0)
  })
  it("finds the most similar utterance for a paraphrase", () => {
    expect(findClaimTime(words, "To stay warm, a cluster of bees shivers")).toBe(10)
    expect(findClaimTime(words, "In May somebody tarred the hull")).toBe(4)
  })
  it("returns undefined for a claim that no utterance supports", () => {
    expect(findClaimTime(words, "A comet passes every seventy years")).toBeUndefined()
    const mostlyOther = "Every comet leaves a bright tail of dust behind its hull on each orbit"
    expect(findClaimTime(words, mostlyOther)).toBeUndefined()
    expect(findClaimTime(words, "A hull of steel")).toBe(4)
    expect(findClaimTime(words, "…")).toBeUndefined()
    expect(findClaimTime([], "The hull")).toBeUndefined()
  })
})
