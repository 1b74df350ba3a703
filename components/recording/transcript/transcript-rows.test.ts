import { describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { listTopics } from "../topics/topic-list.ts"
import { buildRows, findRowOfWord } from "./transcript-rows.ts"

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
const rows = buildRows(
  words,
  listTopics({ topics: [{ title: "all", summary: "", start_s: 0, end_s: 300, children: parts }] }),
)

describe("transcript rows", () => {
  it("contain each heading at its topic's start and every word once, in order", () => {
    expect(rows.filter((r) => r.kind === "topic").map((r) => r.start_s)).toEqual([0, 80, 170])
    const paragraphs = rows.flatMap((r) => (r.kind === "paragraph" ? [r.paragraph] : []))
    expect(paragraphs[0]!.first).toBe(0)
    expect(paragraphs.at(-1)!.end).toBe(words.length)
    expect(paragraphs.slice(1).every((b, i) => b.first === paragraphs[i]!.end)).toBe(true)
  })
  it("are found by their words", () => {
    for (let n = 0; n < words.length; n++) {
      const row = rows[findRowOfWord(rows, n)]
      expect(row?.kind === "paragraph" && row.paragraph.first <= n && n < row.paragraph.end).toBe(true)
    }
    expect([findRowOfWord(rows, words.length), findRowOfWord([], 0)]).toEqual([-1, -1])
  })
})
