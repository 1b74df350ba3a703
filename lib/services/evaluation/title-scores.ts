import { stem } from "../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"

/** Returns the stems of the content words of a title. */
export const listContentStems = (title: string): string[] =>
  splitWords(title)
    .map(normalizeWord)
    .filter((word) => isContentWord(word, STOP_WORDS))
    .map(stem)

/** Returns the F1 of the sets of content stems of two titles, and 1 if they share one, otherwise 0. */
export const compareStems = (reference: string, title: string): { stem_f1: number; shared_word: number } => {
  const wanted = new Set(listContentStems(reference))
  const found = new Set(listContentStems(title))
  const hits = [...found].filter((s) => wanted.has(s)).length
  return { stem_f1: (2 * hits) / Math.max(1, wanted.size + found.size), shared_word: hits > 0 ? 1 : 0 }
}
