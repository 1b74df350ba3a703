import { findFirstWordFrom } from "../../domain/partition-point.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { Span } from "./types.ts"

/** Returns the words that start in `[start_s, end_s)`. Word starts must not decrease. */
export const selectWords = (words: readonly WordSpan[], { start_s, end_s }: Span): readonly WordSpan[] =>
  words.slice(findFirstWordFrom(words, start_s), findFirstWordFrom(words, end_s))

/**
 * Returns the word indices `[first, end)` that start in `[start_s, end_s)`. The last word of the recording belongs to
 * every span that ends with it or later.
 */
export const findWordRange = (words: readonly WordSpan[], { start_s, end_s }: Span): [first: number, end: number] => {
  const first = findFirstWordFrom(words, start_s)
  const last = words.at(-1)
  return [first, last !== undefined && end_s >= last.end ? words.length : findFirstWordFrom(words, end_s)]
}
