import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { ParagraphSpan } from "./paragraphs.ts"
import { findRowOfWord, type Row } from "./transcript-rows.ts"

/**
 * A paragraph that somebody writes over. It has the words that stood there when they began: a correction names them by
 * their time, whatever becomes of the transcript meanwhile. `text` is written in place, so that it outlives its field,
 * which goes when it is scrolled out of sight.
 */
export type Draft = { readonly words: readonly WordSpan[]; text: string }

export const createDraft = (
  words: readonly WordSpan[],
  { first, end }: Pick<ParagraphSpan, "first" | "end">,
): Draft => {
  const own = words.slice(first, end)
  return { words: own, text: own.map((w) => w.word).join(" ") }
}

/** Where each draft stands in rows that may have been made anew: by row, in the order in which they were begun. */
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
