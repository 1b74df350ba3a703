import { describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { topicsOf } from "../topics/topics.ts"
import { rowOfWord, rowsOf } from "./rows.ts"

const words: WordSpan[] = Array.from({ length: 600 }, (_, i) => ({
  word: i % 10 === 9 ? "end." : "word",
  start: i / 2,
  end: i / 2 + 0.4,
  speaker: String(Math.floor(i / 130) % 2),
}))
const parts = [0, 80, 170].map((start_s, i, all) => ({
  title: `t${i}`,
  summary: "",
  start_s,
  end_s: all[i + 1] ?? 300,
  children: [],
}))
const rows = rowsOf(
  words,
  topicsOf({ topics: [{ title: "all", summary: "", start_s: 0, end_s: 300, children: parts }] }),
)

describe("the rows of a transcript", () => {
  it("have each title where its topic begins, and all words once and in order", () => {
    expect(rows.filter((r) => r.kind === "topic").map((r) => r.start_s)).toEqual([0, 80, 170])
    const blocks = rows.flatMap((r) => (r.kind === "block" ? [r.block] : []))
    expect(blocks[0]!.first).toBe(0)
    expect(blocks.at(-1)!.end).toBe(words.length)
    expect(blocks.slice(1).every((b, i) => b.first === blocks[i]!.end)).toBe(true)
  })
  it("are found by the words in them", () => {
    for (let n = 0; n < words.length; n++) {
      const row = rows[rowOfWord(rows, n)]
      expect(row?.kind === "block" && row.block.first <= n && n < row.block.end).toBe(true)
    }
    expect([rowOfWord(rows, words.length), rowOfWord([], 0)]).toEqual([-1, -1])
  })
})
