import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { ParagraphSpan } from "./paragraphs.ts"
import { findRowOfWord, type Row } from "./transcript-rows.ts"

/**
 * An unsaved correction. `words` are the words that the paragraph had when editing began; the edit refers to them by time,
 * even if the transcript changes meanwhile. `text` is mutable so that it survives when the form is scrolled out of view.
 */
export type Draft = { readonly words: readonly WordSpan[]; text: string }

export const createDraft = (
  words: readonly WordSpan[],
  { first, end }: Pick<ParagraphSpan, "first" | "end">,
): Draft => {
  const own = words.slice(first, end)
  return { words: own, text: own.map((w) => w.word).join(" ") }
}

/** Groups drafts by the row that contains their start time, in creation order. Works after the rows have been rebuilt. */
export const groupDraftsByRow = (
  drafts: readonly Draft[],
  rows: readonly Row[],
  words: readonly WordSpan[],
): ReadonlyMap<number, readonly Draft[]> => {
  const found = new Map<number, Draft[]>()
  for (const draft of drafts) {
    const at = draft.words[0]!.start
    const word = words.findIndex((w) => w.start >= at)
    const row = findRowOfWord(rows, word < 0 ? words.length - 1 : word)
    found.set(row, [...(found.get(row) ?? []), draft])
  }
  return found
}
