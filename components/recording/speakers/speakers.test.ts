import { describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { listSpeakers } from "./speakers.ts"

const said = (...speakers: string[]): WordSpan[] =>
  speakers.map((speaker, i) => ({ word: "w", start: i, end: i + 0.5, speaker }))
const ranks = (transcription: WordSpan[]) =>
  listSpeakers({ transcription, speakers: {} }).map(({ id, rank }) => [id, rank] as const)

describe("speakers", () => {
  it("keep their rank when the first speaker has no words or appears later", () => {
    expect(ranks(said("0", "1", "2"))).toEqual([
      ["0", 0],
      ["1", 1],
      ["2", 2],
    ])
    expect(ranks(said("1", "2", "0"))).toEqual(ranks(said("0", "1", "2")))
    expect(ranks(said("1", "2"))).toEqual([
      ["1", 1],
      ["2", 2],
    ])
  })
  it("are sorted numerically by ID, with names after numbers", () => {
    expect(ranks(said("Bo", "10", "Ada", "9")).map(([id]) => id)).toEqual(["9", "10", "Ada", "Bo"])
    expect(ranks(said("Bo", "Ada"))).toEqual([
      ["Ada", 0],
      ["Bo", 1],
    ])
  })
})
