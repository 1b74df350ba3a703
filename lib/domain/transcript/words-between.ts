import { findFirstWordFrom } from "../partition-point.ts"
import type { WordSpan } from "./words.ts"

/** No word lasts longer, so that the search can begin this long before a range. */
const MAX_WORD_S = 10

/**
 * Returns the indices `[first, end)` of the words whose middle is between two times, in seconds. Times of another
 * transcription of the same audio differ a little, and then the same words are found. Starts must not decrease.
 */
export const findWordsBetween = (
  words: readonly WordSpan[],
  { start_s, end_s }: { readonly start_s: number; readonly end_s: number },
): { readonly first: number; readonly end: number } => {
  let first = -1
  let end = -1
  for (let i = findFirstWordFrom(words, start_s - MAX_WORD_S); i < words.length; i++) {
    const word = words[i]!
    if (word.start >= end_s) break
    const middle = (word.start + word.end) / 2
    if (middle < start_s || middle >= end_s) continue
    if (first < 0) first = i
    end = i + 1
  }
  return first < 0 ? { first: 0, end: 0 } : { first, end }
}
