import { cleanSentence } from "../../../domain/text/clean-sentence.ts"
import { scoreReadability } from "../../../domain/text/readability.ts"
import { stem } from "../../../domain/text/stem.ts"
import { detectStopWords, isContentWord } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { splitSpokenSentences } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

type Sentence = { readonly text: string; readonly first: number; readonly end: number }

/** Splits words `first` to `end` (exclusive) into readable sentences, in order. */
const listSpokenSentences = (words: readonly WordSpan[], first: number, end: number): Sentence[] =>
  splitSpokenSentences(words, first, end).flatMap((span) => {
    const text = cleanSentence(words.slice(span.first, span.end).map((w) => w.word))
    return text === "" ? [] : [{ text, ...span }]
  })

/** Exponent of the length normalization. 1 is the cosine; a lower value prefers longer sentences. */
const LENGTH_EXPONENT = 0.4
/** Sentences with a higher cosine to a chosen sentence are redundant. */
const MAX_SIMILARITY = 0.5
type Vector = Map<string, number>

const buildVector = (text: string, stop: ReadonlySet<string>): Vector => {
  const vector: Vector = new Map()
  for (const word of splitWords(text).map(normalizeWord)) {
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
 * Returns up to `maxSentences` sentences that summarize words `first` to `end` (exclusive), in spoken order. Ranks the
 * sentences by similarity to the term frequency centroid (Radev et al. 2004, "Centroid-based summarization") and
 * readability, and skips redundant ones (maximal marginal relevance, Carbonell & Goldstein 1998). Runs in linear time.
 */
export const extractSummary = (
  words: readonly WordSpan[],
  first: number,
  end: number,
  maxSentences: number,
): string[] => {
  const sentences = listSpokenSentences(words, first, end)
  const stop = detectStopWords(words.slice(first, end).flatMap((w) => splitWords(w.word).map(normalizeWord)))
  const vectors = sentences.map((s) => buildVector(s.text, stop))
  const centroid: Vector = new Map()
  for (const vector of vectors) for (const [key, value] of vector) centroid.set(key, (centroid.get(key) ?? 0) + value)
  const length = Math.sqrt(dot(centroid, centroid)) || 1
  const ranked = sentences
    .map((sentence, i) => {
      const own = Math.sqrt(dot(vectors[i]!, vectors[i]!)) || 1
      const central = dot(vectors[i]!, centroid) / (own ** LENGTH_EXPONENT * length)
      // The constant lets readability decide if there are no content words.
      return { i, score: (central + 0.01) * scoreReadability(sentence.text) }
    })
    .sort((a, b) => b.score - a.score || a.i - b.i)
  const chosen: number[] = []
  for (const { i, score } of ranked) {
    if (chosen.length >= maxSentences || (chosen.length > 0 && score < ranked[0]!.score / 4)) break
    if (chosen.every((c) => cosine(vectors[c]!, vectors[i]!) < MAX_SIMILARITY)) chosen.push(i)
  }
  return chosen.sort((a, b) => a - b).map((i) => sentences[i]!.text)
}
