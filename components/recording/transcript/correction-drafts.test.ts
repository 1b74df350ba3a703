import { describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { createDraft, groupDraftsByRow } from "./correction-drafts.ts"
import { buildRows, type Row } from "./transcript-rows.ts"

/** Turns of ten words, a word a second. */
const said = (text: string): WordSpan[] =>
  Array.from({ length: 40 }, (_, i) => ({
    word: `${text}${i}`,
    start: i,
    end: i + 0.9,
    speaker: String(Math.floor(i / 10) % 2),
  }))
const words = said("w")
const rows = buildRows(words, [])
const blockAt = (all: readonly Row[], n: number) => {
  const row = all[n]
  if (row?.kind !== "paragraph") throw new Error("no paragraph")
  return row.paragraph
}

describe("correction drafts", () => {
  it("start with the words of their paragraph", () => {
    const draft = createDraft(words, blockAt(rows, 1))
    expect([draft.words.length, draft.text.split(" ").slice(0, 2)]).toEqual([10, ["w10", "w11"]])
  })
  it("keep their row, text and original words when the transcript is rebuilt", () => {
    const draft = createDraft(words, blockAt(rows, 2))
    draft.text = "other"
    const fresh = [{ word: "new", start: 0.5, end: 0.8, speaker: "0" }, ...said("v")].sort((a, b) => a.start - b.start)
    const found = groupDraftsByRow([draft], buildRows(fresh, []), fresh)
    expect([...found]).toEqual([[2, [draft]]])
    expect([draft.text, draft.words[0]!.word]).toEqual(["other", "w20"])
  })
  it("move to the last row if their words no longer exist, together with other drafts", () => {
    const drafts = [createDraft(words, blockAt(rows, 2)), createDraft(words, blockAt(rows, 3))]
    const few = words.slice(0, 15)
    expect([...groupDraftsByRow(drafts, buildRows(few, []), few)]).toEqual([[1, drafts]])
  })
})
