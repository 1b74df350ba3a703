import { cleanSentence } from "../../../domain/text/clean.ts"
import { spokenSentences } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** A sentence as spoken (or, without punctuation, what stands between two silences), readable. */
export type Sentence = { readonly text: string; readonly first: number; readonly end: number }

/** Parts words `first` to `end` (exclusive) into sentences, in order. */
export const sentencesOf = (words: readonly WordSpan[], first: number, end: number): Sentence[] =>
  spokenSentences(words, first, end).flatMap((span) => {
    const text = cleanSentence(words.slice(span.first, span.end).map((w) => w.word))
    return text === "" ? [] : [{ text, ...span }]
  })
