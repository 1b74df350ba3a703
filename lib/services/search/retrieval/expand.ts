import { stem } from "../../../domain/text/stem.ts"
import type { Hit, SearchTerm } from "../../../storage/stores/ports/documents.ts"
import { isContent, searchable } from "./question.ts"

/** How many words are taken from the best passages. */
const WORDS = 20

/** A passage that is taken for relevant, and how well it fits the question as it was asked. */
export type Feedback = { readonly text: string; readonly score: number }

type Counted = { readonly word: string; weight: number }

/** The words that are likely in the passages, the likelier the better the passage fits: P(w|R) of Lavrenko and Croft 2001. */
const relevanceModel = (passages: readonly Feedback[]): Map<string, Counted> => {
  const model = new Map<string, Counted>()
  const whole = passages.reduce((sum, { score }) => sum + score, 0)
  for (const { text, score } of passages) {
    const words = searchable(text).filter((word) => word.length > 1 && isContent(word))
    for (const word of words) {
      const share = score / whole / words.length
      const known = model.get(stem(word))
      if (known) known.weight += share
      else model.set(stem(word), { word, weight: share })
    }
  }
  return model
}

/**
 * The words that say most of what the passages are about, as terms whose weights add up to 1. Empty where there are none.
 */
export const wordsOfBest = (passages: readonly Feedback[]): SearchTerm[] => {
  const best = [...relevanceModel(passages).values()].sort((a, b) => b.weight - a.weight).slice(0, WORDS)
  const whole = best.reduce((sum, { weight }) => sum + weight, 0)
  return best.map(({ word, weight }) => ({ words: [word], weight: weight / whole }))
}

/** What the words of a question weigh; its phrases come on top. */
const weightOf = (terms: readonly SearchTerm[]): number =>
  terms.reduce((sum, { words, weight }) => sum + (words.length === 1 ? weight : 0), 0)

/**
 * The hits of a question's terms and those of `wordsOfBest` in one list, in which the latter have `share` of the weight
 * (RM3: Abdul-Jaleel et al. 2004). BM25 is a sum over terms, so adding two searches is searching for both.
 */
export const interpolate = (
  asked: { readonly terms: readonly SearchTerm[]; readonly hits: readonly Hit[] },
  added: readonly Hit[],
  share: number,
): Hit[] => {
  const scores = new Map<number, number>()
  const scale = (1 - share) / weightOf(asked.terms)
  for (const { row, score } of asked.hits) scores.set(row, scale * score)
  for (const { row, score } of added) scores.set(row, (scores.get(row) ?? 0) + share * score)
  return [...scores].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row)
}
