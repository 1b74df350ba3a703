import type { WordSpan } from "../../contracts/words.ts"
import { stem } from "../../text/stem.ts"
import { stopWordsFor } from "../../text/stop-words.ts"
import { isWordy, normalise, wordsOf } from "../../text/tokens.ts"
import { type Sentence, sentencesOf } from "./sentences.ts"

/** Lengths in words between which a sentence reads well. */
const GOOD_LENGTH = [8, 32] as const
/** A sentence this alike to one chosen before adds nothing. */
const MAX_ALIKE = 0.5

type Vector = Map<string, number>

const vectorOf = (text: string, stop: ReadonlySet<string>): Vector => {
  const vector: Vector = new Map()
  for (const word of wordsOf(text).map(normalise)) {
    if (!isWordy(word) || stop.has(word)) continue
    const key = stem(word)
    vector.set(key, (vector.get(key) ?? 0) + 1)
  }
  return vector
}

const dot = (a: Vector, b: Vector): number => {
  let sum = 0
  for (const [key, value] of a) sum += value * (b.get(key) ?? 0)
  return sum
}
const cosine = (a: Vector, b: Vector): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b) || 1)

const readability = (sentence: Sentence): number => {
  const length = wordsOf(sentence.text).length
  const [low, high] = GOOD_LENGTH
  const fit = length < low ? length / low : length > high ? high / length : 1
  return fit * fit * (sentence.text.endsWith("?") ? 0.6 : 1)
}

/**
 * The `count` sentences that stand nearest to the middle of a passage: highest cosine with its tf centroid (Radev et
 * al. 2004, "Centroid-based summarization"), weighted by readable length, none repeating another (maximal marginal
 * relevance, Carbonell & Goldstein 1998), in spoken order. Linear in the length of the passage.
 */
export const extract = (words: readonly WordSpan[], first: number, end: number, count: number): string[] => {
  const sentences = sentencesOf(words, first, end)
  const stop = stopWordsFor(words.slice(first, end).flatMap((w) => wordsOf(w.word).map(normalise)))
  const vectors = sentences.map((s) => vectorOf(s.text, stop))
  const centroid: Vector = new Map()
  for (const vector of vectors) for (const [key, value] of vector) centroid.set(key, (centroid.get(key) ?? 0) + value)
  const ranked = sentences
    .map((sentence, i) => ({ i, score: cosine(vectors[i]!, centroid) * readability(sentence) }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
  const chosen: number[] = []
  for (const { i } of ranked) {
    if (chosen.length >= count) break
    if (chosen.every((c) => cosine(vectors[c]!, vectors[i]!) < MAX_ALIKE)) chosen.push(i)
  }
  return chosen.sort((a, b) => a - b).map((i) => sentences[i]!.text)
}
