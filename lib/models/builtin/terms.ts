import type { WordSpan } from "../../contracts/words.ts"
import { stem } from "../../text/stem.ts"
import { isFiller, stopWordsFor } from "../../text/stop-words.ts"
import { isWordy, normalise, wordsOf } from "../../text/tokens.ts"

/** The words of a transcript as numbered content terms. */
export type Terms = {
  /** Term numbers in spoken order, one or none per word span (several where a script has no spaces). */
  readonly ids: Int32Array
  /** `offsets[i]` to `offsets[i + 1]` are the terms of word span i; length words + 1. */
  readonly offsets: Int32Array
  /** Number of distinct terms. */
  readonly vocabulary: number
}

/** Numbers the stemmed content words of `words`; stop words, fillers, numbers and punctuation carry no term. */
export const termsOf = (words: readonly WordSpan[]): Terms => {
  const tokens = words.map((w) => wordsOf(w.word).map(normalise))
  const stop = stopWordsFor(tokens.flat())
  const numbers = new Map<string, number>()
  const ids: number[] = []
  const offsets = new Int32Array(words.length + 1)
  tokens.forEach((list, i) => {
    for (const token of list) {
      if (!isWordy(token) || stop.has(token) || isFiller(token)) continue
      const term = stem(token)
      let id = numbers.get(term)
      if (id === undefined) {
        id = numbers.size
        numbers.set(term, id)
      }
      ids.push(id)
    }
    offsets[i + 1] = ids.length
  })
  return { ids: Int32Array.from(ids), offsets, vocabulary: numbers.size }
}
