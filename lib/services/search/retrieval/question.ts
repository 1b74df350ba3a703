import { formsOf } from "../../../domain/text/irregular.ts"
import { isFiller, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { SearchTerm } from "../../../storage/stores/ports/documents.ts"

/** Most different words of a question that are searched for. */
const MAX_WORDS = 150

const COMPOUND = /^\p{L}+(?:-\p{L}+)+$/u

/** The words of a text as they are searched for: normalised, hyphenated ones by their parts. */
export const searchable = (text: string): string[] =>
  wordsOf(text)
    .map(normalise)
    .flatMap((word) => (COMPOUND.test(word) ? word.split("-") : word))

export const isContent = (word: string): boolean => !STOP_WORDS.has(word) && !isFiller(word)

/** The different words of a question that are worth looking for; all of them when none is. */
export const searchWords = (question: string): string[] => {
  const words = [...new Set(searchable(question))]
  const content = words.filter(isContent)
  return (content.length > 0 ? content : words).slice(0, MAX_WORDS)
}

/**
 * What a question looks for: its words in all their forms, each as often as it says them, and pairs of words that follow
 * each other in it (ordered phrases of the sequential dependence model, Metzler and Croft 2005), which weigh
 * `phraseWeight`.
 */
export const termsOf = (question: string, phraseWeight: number): SearchTerm[] => {
  const words = searchWords(question)
  const wanted = new Set(words)
  const times = new Map<string, number>()
  const pairs = new Map<string, SearchTerm>()
  let before: string | undefined
  for (const word of searchable(question)) {
    if (wanted.has(word)) times.set(word, (times.get(word) ?? 0) + 1)
    if (wanted.has(word) && before !== undefined && wanted.has(before) && before !== word && phraseWeight > 0)
      pairs.set(`${before} ${word}`, { words: [before, word], weight: phraseWeight })
    before = word
  }
  const each = words.flatMap((word) => formsOf(word).map((form) => ({ words: [form], weight: times.get(word)! })))
  return [...each, ...pairs.values()]
}
