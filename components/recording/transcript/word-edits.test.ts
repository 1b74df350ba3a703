import { describe, expect, it } from "vitest"
import { createTextEdit } from "./word-edits.ts"

/** Words of a second each. */
const say = (text: string) => text.split(" ").map((word, i) => ({ word, start: i, end: i + 0.9, speaker: "1" }))

describe("createTextEdit", () => {
  it("covers only the words that differ", () => {
    expect(createTextEdit(say("the quick brown fox"), "the slow  brown fox")).toEqual({
      kind: "text",
      start_s: 1,
      end_s: 1.9,
      of: "1",
      words: ["slow"],
    })
    expect(createTextEdit(say("a b c d"), "a d")).toMatchObject({ start_s: 1, end_s: 2.9, words: [] })
  })

  it("includes a neighboring word if words are only inserted", () => {
    expect(createTextEdit(say("a b"), "a new b")).toMatchObject({ start_s: 0, end_s: 0.9, words: ["a", "new"] })
    expect(createTextEdit(say("a b"), "new a b")).toMatchObject({ start_s: 0, end_s: 0.9, words: ["new", "a"] })
    expect(createTextEdit(say("a b"), "a b new")).toMatchObject({ start_s: 1, end_s: 1.9, words: ["b", "new"] })
    expect(createTextEdit(say("a a"), "a a a")).toMatchObject({ start_s: 1, end_s: 1.9, words: ["a", "a"] })
  })

  it("returns null if only white space differs", () => {
    expect(createTextEdit(say("a b"), " a\n b ")).toBeNull()
  })
})
