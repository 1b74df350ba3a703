import type { HighlightColor, Note, WordSpan } from "#lib/api/client/types.ts"
import { findWordsBetween } from "#lib/domain/transcript/words-between.ts"

/** The words that a note highlights: indices of the first word and of the word after the last. */
export type Highlight = {
  readonly id: string
  readonly color: HighlightColor
  readonly first: number
  readonly end: number
  /** The text of the note. Empty for words that are only highlighted. */
  readonly text: string
}

/** Returns the highlights of a transcript, older ones first, so that newer ones cover them. */
export const findHighlights = (words: readonly WordSpan[], notes: readonly Note[]): Highlight[] =>
  notes.toReversed().flatMap(({ id, color, start_s, end_s, text }) => {
    if (start_s === null || end_s === null || color === null) return []
    const { first, end } = findWordsBetween(words, { start_s, end_s })
    return first === end ? [] : [{ id, color, first, end, text }]
  })

/** Returns the newest highlight that has a word in a range, or null. */
export const findOverlapping = (
  highlights: readonly Highlight[],
  { first, end }: { readonly first: number; readonly end: number },
): Highlight | null => highlights.findLast((own) => own.first < end && own.end > first) ?? null

const NONE: readonly Highlight[] = []

/**
 * Returns a function that gives the highlights of a paragraph. A paragraph without any always gets the same list, so that it is
 * not rendered again.
 */
export const groupHighlights = (
  highlights: readonly Highlight[],
): ((paragraph: { readonly first: number; readonly end: number }) => readonly Highlight[]) => {
  if (highlights.length === 0) return () => NONE
  const groups = new Map<number, readonly Highlight[]>()
  return ({ first, end }) => {
    const known = groups.get(first)
    if (known) return known
    const own = highlights.filter((highlight) => highlight.first < end && highlight.end > first)
    const group = own.length === 0 ? NONE : own
    groups.set(first, group)
    return group
  }
}
