import { describe, expect, it } from "vitest"
import { collectCorrections, findNameCorrection } from "./collect-corrections.ts"
import type { WordEdit } from "./word-edits.ts"

const HEARD = "we run, Cuban eddies. I see it"
  .split(" ")
  .map((word, i) => ({ word, start: i, end: i + 0.5, speaker: "0" }))
const correct = (first: number, last: number, text: string): WordEdit => ({
  kind: "text",
  start_s: first,
  end_s: last + 0.5,
  words: text.split(" ").filter(Boolean),
})

describe("corrections", () => {
  it("are what a person wrote and what the transcript had, without marks and letter case", () => {
    expect(collectCorrections(HEARD, [correct(2, 3, "Kubernetes."), correct(0, 0, "You")])).toEqual([
      { term: "Kubernetes", sounds_like: "cuban eddies" },
      { term: "You", sounds_like: "we" },
    ])
  })
  it("change words, few at a time", () => {
    expect(collectCorrections(HEARD, [correct(1, 1, "Run!"), correct(2, 3, ""), correct(1, 1, "a b c d e")])).toEqual(
      [],
    )
    expect(collectCorrections(HEARD, [correct(0, 4, "One"), { kind: "merge", from: "0", into: "1" }])).toEqual([])
  })
  it("look like names if they have a capital or a digit and are no short words", () => {
    expect(findNameCorrection(HEARD, [correct(0, 0, "Weel"), correct(2, 3, "Kubernetes.")])).toEqual({
      term: "Kubernetes",
      sounds_like: "cuban eddies",
    })
    expect(findNameCorrection(HEARD, [correct(4, 4, "Eyes"), correct(2, 3, "cuban edges")])).toBeNull()
    expect(findNameCorrection(HEARD, [correct(2, 3, "K8s")])).toBeNull()
  })
})
