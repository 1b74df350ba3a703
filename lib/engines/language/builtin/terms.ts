import { stem } from "../../../domain/text/stem.ts"
import { isContentWord, stopWordsFor } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { Utterance } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Units } from "./segment.ts"

const MIN_COUNT = 2

/**
 * The terms of each utterance for segmentation: stemmed content words that occur at least twice in the passage (a word
 * said once cannot tie two places together, and is the likeliest misrecognition), once an utterance (a stutter, or a
 * word that its own sentence repeats, says nothing about the subject lasting).
 */
export const unitsOf = (words: readonly WordSpan[], utterances: readonly Utterance[]): Units => {
  const tokens = words.map((w) => wordsOf(w.word).map(normalise))
  const stop = stopWordsFor(tokens.flat())
  const counts = new Map<string, number>()
  const terms = tokens.map((list) => list.filter((token) => isContentWord(token, stop)).map(stem))
  for (const list of terms) for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1)

  const numbers = new Map<string, number>()
  const ids: number[] = []
  const offsets = new Int32Array(utterances.length + 1)
  utterances.forEach(({ first, end }, u) => {
    const here = new Set<string>()
    for (let i = first; i < end; i++) for (const term of terms[i]!) if (counts.get(term)! >= MIN_COUNT) here.add(term)
    for (const term of here) {
      const id = numbers.get(term) ?? numbers.size
      numbers.set(term, id)
      ids.push(id)
    }
    offsets[u + 1] = ids.length
  })
  return { ids: Int32Array.from(ids), offsets, vocabulary: numbers.size }
}
