import { describe, expect, it } from "vitest"
import { splitIntoRuns } from "./word-runs.ts"

/** Words of a second each; "1:yeah" is said by speaker 1. */
const say = (text: string) =>
  text.split(" ").map((part, i) => {
    const [speaker, word] = part.includes(":") ? (part.split(":") as [string, string]) : ["0", part]
    return { word, start: i, end: i + 0.9, speaker }
  })
const runsOf = (text: string, hidesFillers = false) => {
  const words = say(text)
  const paragraph = { first: 0, end: words.length, speaker: "0", start_s: 0, end_s: words.length }
  return splitIntoRuns(words, paragraph, hidesFillers).map(({ interjection, words: shown }) => [
    interjection,
    shown.map((n) => words[n]!.word).join(" "),
  ])
}

describe("splitIntoRuns", () => {
  it("separates sentences and interjections of other speakers", () => {
    expect(runsOf("We go. So we 1:yeah, 1:right go on.")).toEqual([
      [null, "We go."],
      [null, "So we"],
      ["1", "yeah, right"],
      [null, "go on."],
    ])
  })

  it("leaves out fillers and interjections that say nothing, on demand", () => {
    expect(runsOf("We um go . 1:mm-hmm 1:Never . Uh .", true)).toEqual([
      [null, "We go ."],
      ["1", "Never"],
    ])
    expect(runsOf("We go 1:yeah on.", true)).toEqual([
      [null, "We go"],
      [null, "on."],
    ])
  })
})
