import type { SearchTerm } from "../../store/search/types.ts"
import { stem } from "../../text/stem.ts"
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
 * Adds to the terms of a question the words of the passages that fit it best (RM3: Abdul-Jaleel et al. 2004), which get
 * `share` of the weight that the question's own words have, and these what is left. Terms as they are where there is no
 * passage.
 */
export const expand = (terms: readonly SearchTerm[], passages: readonly Feedback[], share: number): SearchTerm[] => {
  if (share === 0 || passages.length === 0) return [...terms]
  const best = [...relevanceModel(passages)].sort(([, a], [, b]) => b.weight - a.weight).slice(0, WORDS)
  const found = best.reduce((sum, [, { weight }]) => sum + weight, 0)
  const asked = terms.reduce((sum, { words, weight }) => sum + (words.length === 1 ? weight : 0), 0)
  if (found === 0 || asked === 0) return [...terms]
  const added = new Map(best.map(([key, { word, weight }]) => [key, { word, weight: (share * weight) / found }]))
  const own = terms.map(({ words, weight }) => {
    const key = words.length === 1 ? stem(words[0]!) : ""
    const more = added.get(key)?.weight ?? 0
    added.delete(key)
    return { words, weight: ((1 - share) * weight) / asked + more }
  })
  return [...own, ...[...added.values()].map(({ word, weight }) => ({ words: [word], weight }))]
}
