import type { WordSpan } from "../../contracts/words.ts"
import { cleanSentence } from "../../text/clean.ts"
import { endsSentence, isPunctuated, SENTENCE_PAUSE_S } from "../../text/utterances.ts"

/** A sentence as spoken (or, without punctuation, what stands between two silences), readable. */
export type Sentence = { readonly text: string; readonly first: number; readonly end: number }

const MIN_WORDS = 8
const MAX_WORDS = 30

/** Parts words `first` to `end` (exclusive) into sentences, in order. */
export const sentencesOf = (words: readonly WordSpan[], first: number, end: number): Sentence[] => {
  const punctuated = isPunctuated(words, first, end)
  const list: Sentence[] = []
  let from = first
  for (let i = first + 1; i <= end; i++) {
    const word = words[i]
    const before = words[i - 1]!
    const length = i - from
    const over =
      i === end ||
      word === undefined ||
      word.speaker !== before.speaker ||
      (punctuated
        ? endsSentence(before.word)
        : length >= MAX_WORDS || (length >= MIN_WORDS && word.start - before.end >= SENTENCE_PAUSE_S))
    if (!over) continue
    const text = cleanSentence(words.slice(from, i).map((w) => w.word))
    if (text !== "") list.push({ text, first: from, end: i })
    from = i
  }
  return list
}
