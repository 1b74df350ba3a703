import { readability } from "../../../domain/text/readability.ts"
import { stem } from "../../../domain/text/stem.ts"
import { isContentWord, stopWordsFor } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { sentencesOf } from "./spoken-sentences.ts"

/** 1 is the cosine; less lets a sentence that says more of the subject win over one that says little else. */
const NORM = 0.4
/** A sentence this alike to one chosen before adds nothing. */
const MAX_ALIKE = 0.5
type Vector = Map<string, number>

const vectorOf = (text: string, stop: ReadonlySet<string>): Vector => {
  const vector: Vector = new Map()
  for (const word of wordsOf(text).map(normalise)) {
    if (!isContentWord(word, stop)) continue
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

/**
 * The `count` sentences that stand nearest to the middle of a passage: nearest to its tf centroid (Radev et
 * al. 2004, "Centroid-based summarization"), weighted by how they read, none repeating another (maximal marginal
 * relevance, Carbonell & Goldstein 1998), in spoken order. Linear in the length of the passage.
 */
export const extract = (words: readonly WordSpan[], first: number, end: number, count: number): string[] => {
  const sentences = sentencesOf(words, first, end)
  const stop = stopWordsFor(words.slice(first, end).flatMap((w) => wordsOf(w.word).map(normalise)))
  const vectors = sentences.map((s) => vectorOf(s.text, stop))
  const centroid: Vector = new Map()
  for (const vector of vectors) for (const [key, value] of vector) centroid.set(key, (centroid.get(key) ?? 0) + value)
  const length = Math.sqrt(dot(centroid, centroid)) || 1
  const ranked = sentences
    .map((sentence, i) => {
      const own = Math.sqrt(dot(vectors[i]!, vectors[i]!)) || 1
      const central = dot(vectors[i]!, centroid) / (own ** NORM * length)
      // A passage without content words still has a sentence that reads best.
      return { i, score: (central + 0.01) * readability(sentence.text) }
    })
    .sort((a, b) => b.score - a.score || a.i - b.i)
  const chosen: number[] = []
  for (const { i, score } of ranked) {
    if (chosen.length >= count || (chosen.length > 0 && score < ranked[0]!.score / 4)) break
    if (chosen.every((c) => cosine(vectors[c]!, vectors[i]!) < MAX_ALIKE)) chosen.push(i)
  }
  return chosen.sort((a, b) => a - b).map((i) => sentences[i]!.text)
}
