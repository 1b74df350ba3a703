import type { WordSpan } from "../../contracts/words.ts"
import type { Span } from "../types.ts"

/** Index of the first word that starts at `time` or later; words.length when there is none. */
const firstFrom = (words: readonly WordSpan[], time: number): number => {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle]!.start < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Word indices [first, end) that start inside a stretch; the last word of the recording belongs to the last stretch. */
export const rangeWithin = (words: readonly WordSpan[], { start_s, end_s }: Span): [first: number, end: number] => {
  const first = firstFrom(words, start_s)
  const last = words.at(-1)
  return [first, last !== undefined && end_s >= last.end ? words.length : firstFrom(words, end_s)]
}

/** The words that start inside a stretch. */
export const wordsWithin = (words: readonly WordSpan[], span: Span): WordSpan[] =>
  words.slice(...rangeWithin(words, span))
