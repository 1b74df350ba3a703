import type { WordSpan } from "#lib/domain/transcript/words.ts"

/** A word or a sentence's worth of them as they are compared: letters and digits, without case and accents. */
export const normalizeText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Words `first` to `end` (exclusive) that hold what was looked for. */
export type Match = { readonly first: number; readonly end: number }

/** The words of a transcript as they are compared, made once. */
export const normalizeWords = (words: readonly WordSpan[]): string[] => words.map((w) => normalizeText(w.word))

/** Where the words of a question follow each other; the last may be the beginning of a word. */
export const findMatches = (spoken: readonly string[], question: string): Match[] => {
  const wanted = question.split(/\s+/).map(normalizeText).filter(Boolean)
  const last = wanted.at(-1)
  if (last === undefined) return []
  const before = wanted.slice(0, -1)
  const found: Match[] = []
  for (let i = 0; i + wanted.length <= spoken.length; i++) {
    const end = i + wanted.length
    if (before.every((w, k) => spoken[i + k] === w) && spoken[end - 1]!.startsWith(last)) {
      found.push({ first: i, end })
      i = end - 1
    }
  }
  return found
}
