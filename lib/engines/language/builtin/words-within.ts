import { findFirstWordFrom } from "../../../domain/partition-point.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"

/** Word indices [first, end) that start inside a stretch; the last word of the recording belongs to the last stretch. */
export const rangeWithin = (words: readonly WordSpan[], { start_s, end_s }: Span): [first: number, end: number] => {
  const first = findFirstWordFrom(words, start_s)
  const last = words.at(-1)
  return [first, last !== undefined && end_s >= last.end ? words.length : findFirstWordFrom(words, end_s)]
}

/** The words that start inside a stretch. */
export const wordsWithin = (words: readonly WordSpan[], span: Span): WordSpan[] =>
  words.slice(...rangeWithin(words, span))
