import type { TimedWord } from "./words.ts"

/** Matches scripts without spaces between words, in which each character or token counts as a word. */
export const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/u

/** Yields the words of a text, and single characters in scripts without spaces. */
export function* splitWords(text: string): Generator<string> {
  for (const [part] of text.matchAll(/\S+/g)) {
    if (!UNSPACED.test(part)) yield part
    else for (const [word] of part.matchAll(/.[\p{P}\p{S}]*/gu)) yield word
  }
}

/** Estimates word times by distributing the words over a time range in proportion to their length. */
export const estimateWordTimes = (text: string, start_s: number, end_s: number): TimedWord[] => {
  const words = [...splitWords(text)]
  const weights = words.map((word) => [...word].length + 1)
  const total = weights.reduce((sum, w) => sum + w, 0)
  const length = Math.max(end_s - start_s, 0)
  let done = 0
  return words.map((word, i) => {
    const start = start_s + (length * done) / total
    done += weights[i]!
    return { word, start, end: start_s + (length * done) / total }
  })
}
