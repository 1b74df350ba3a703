import { describe, expect, it } from "vitest"
import { chooseTurns } from "./choose-turns.ts"

const say = (speaker: string, start: number, end: number) => ({ word: "x", start, end, speaker })

describe("chooseTurns", () => {
  it("joins words of one speaker without a long pause, and drops short turns", () => {
    const words = [say("0", 0, 1), say("0", 1.4, 2), say("0", 3, 3.5), say("1", 4, 6), say("0", 6, 6.7)]
    expect([...chooseTurns(words)]).toEqual([
      [
        "0",
        [
          { start: 0, end: 2 },
          { start: 6, end: 6.7 },
        ],
      ],
      ["1", [{ start: 4, end: 6 }]],
    ])
    expect(chooseTurns([]).size).toBe(0)
  })
  it("takes a minute of the longest turns, in order of time", () => {
    const words = [say("0", 0, 10), say("0", 20, 60), say("0", 70, 95)]
    expect(chooseTurns(words).get("0")).toEqual([
      { start: 20, end: 60 },
      { start: 70, end: 90 },
    ])
  })
  it("considers the fifty speakers who speak longest", () => {
    const words = Array.from({ length: 60 }, (_, i) => say(String(i), i * 10, i * 10 + 1 + i / 100))
    const chosen = chooseTurns(words)
    expect([chosen.size, chosen.has("9"), chosen.has("10")]).toEqual([50, false, true])
  })
})
