import { isFiller } from "../../domain/text/fillers.ts"
import { listVerbForms, stem } from "../../domain/text/stem.ts"
import { STOP_WORDS } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"
import type { Hit, SearchTerm } from "../../storage/stores/ports/documents.ts"
import { sortHits } from "./ranking.ts"

/** The maximum number of distinct question words that are searched. */
const MAX_QUESTION_WORDS = 150

/** The maximum number of expansion terms. */
const MAX_EXPANSION_TERMS = 20

const COMPOUND = /^\p{L}+(?:-\p{L}+)+$/u

/** Splits a text into normalized words as full-text search indexes them. Hyphenated words are split too. */
export const splitSearchWords = (text: string): string[] =>
  splitWords(text)
    .map(normalizeWord)
    .flatMap((word) => (word.includes("-") && COMPOUND.test(word) ? word.split("-") : word))

export const isSearchContentWord = (word: string): boolean => !STOP_WORDS.has(word) && !isFiller(word)

/** Returns the distinct content words of a question, or all its words if it has no content words. */
export const selectQuestionWords = (question: string): string[] => {
  const words = [...new Set(splitSearchWords(question))]
  const content = words.filter(isSearchContentWord)
  return (content.length > 0 ? content : words).slice(0, MAX_QUESTION_WORDS)
}

/**
 * Builds the search terms of a question: every form of its words, weighted by their number, and pairs of adjacent words
 * with weight `phraseWeight` (ordered phrases of the sequential dependence model, Metzler and Croft 2005).
 */
export const buildSearchTerms = (question: string, phraseWeight: number): SearchTerm[] => {
  const words = selectQuestionWords(question)
  const selected = new Set(words)
  const counts = new Map<string, number>()
  const phrases = new Map<string, SearchTerm>()
  let previous: string | undefined
  for (const word of splitSearchWords(question)) {
    if (selected.has(word)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      if (phraseWeight > 0 && previous !== undefined && selected.has(previous) && previous !== word)
        phrases.set(`${previous} ${word}`, { words: [previous, word], weight: phraseWeight })
    }
    previous = word
  }
  const single = words.flatMap((word) =>
    listVerbForms(word).map((form) => ({ words: [form], weight: counts.get(word)! })),
  )
  return [...single, ...phrases.values()]
}

/** A chunk that is assumed to be relevant, with its score for the question. */
export type FeedbackChunk = { readonly text: string; readonly score: number }

/**
 * Returns the most likely words of the feedback chunks as terms whose weights sum to 1: the relevance model P(w|R) of
 * Lavrenko and Croft (2001), in which a chunk counts in proportion to its score.
 */
export const buildExpansionTerms = (chunks: readonly FeedbackChunk[]): SearchTerm[] => {
  const best = [...computeRelevanceModel(chunks).values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_EXPANSION_TERMS)
  const total = best.reduce((sum, { weight }) => sum + weight, 0)
  return best.map(({ word, weight }) => ({ words: [word], weight: weight / total }))
}

type WeightedWord = { readonly word: string; weight: number }

const computeRelevanceModel = (chunks: readonly FeedbackChunk[]): Map<string, WeightedWord> => {
  const model = new Map<string, WeightedWord>()
  const totalScore = chunks.reduce((sum, { score }) => sum + score, 0)
  for (const { text, score } of chunks) {
    const words = splitSearchWords(text).filter((word) => word.length > 1 && isSearchContentWord(word))
    for (const word of words) {
      const weight = score / totalScore / words.length
      const entry = model.get(stem(word))
      if (entry) entry.weight += weight
      else model.set(stem(word), { word, weight })
    }
  }
  return model
}

/**
 * Merges the hits of the question terms and of the expansion terms (RM3: Abdul-Jaleel et al. 2004). BM25 is a sum over
 * terms, so adding the scores of two searches is the same as searching for all terms at once.
 * @param share the weight of the expansion terms, from 0 to 1
 */
export const mergeExpansionHits = (
  question: { readonly terms: readonly SearchTerm[]; readonly hits: readonly Hit[] },
  expansionHits: readonly Hit[],
  share: number,
): Hit[] => {
  const scores = new Map<number, number>()
  const scale = (1 - share) / sumWordWeights(question.terms)
  for (const { row, score } of question.hits) scores.set(row, scale * score)
  for (const { row, score } of expansionHits) scores.set(row, (scores.get(row) ?? 0) + share * score)
  return sortHits(scores)
}

/** Sums the weights of single words. Phrases count in addition to them. */
const sumWordWeights = (terms: readonly SearchTerm[]): number =>
  terms.reduce((sum, { words, weight }) => sum + (words.length === 1 ? weight : 0), 0)
