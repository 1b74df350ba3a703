import type { TimedWord } from "./words.ts"

/** What a recogniser says of one segment: pieces of words with the second, from the segment's start, where each begins. */
export type Tokens = {
  readonly tokens: readonly string[]
  readonly timestamps: readonly number[]
  /** How long each token lasts, in seconds; empty where the recogniser does not say. */
  readonly durations: readonly number[]
}

/** Shortest word: what people can still click on. */
const MIN_WORD_S = 0.02
/** SentencePiece writes the space before a word as this. */
const SPACE = /^[▁\s]+/
/** Scripts without spaces between words: each token is a word. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}/u
const PUNCTUATION = /^[\p{P}\p{S}\s▁]+$/u

type Growing = { text: string; start: number; end: number; last: number }

/**
 * Joins tokens to words, with seconds from the start of the recording. A word begins with a token that begins with a
 * space (written `▁` by SentencePiece), or anywhere in a script without spaces; a mark alone belongs to the word before
 * it. A word ends where its last token ends or, when durations are missing, where the next word begins. No token is
 * lost, starts never fall, and every word lies inside the segment and lasts at least 20 ms where that has room.
 * @param from_s where the segment begins in the recording
 * @param length_s how long the segment is
 */
export const joinTokens = (
  { tokens, timestamps, durations }: Tokens,
  { from_s, length_s }: { readonly from_s: number; readonly length_s: number },
): TimedWord[] => {
  const words: Growing[] = []
  const inside = (t: number): number => Math.min(Math.max(t, 0), length_s)
  for (const [i, token] of tokens.entries()) {
    const at = inside(timestamps[i] ?? words.at(-1)?.last ?? 0)
    const until = inside(at + (durations[i] ?? 0))
    const word = words.at(-1)
    const isMark = PUNCTUATION.test(token) && token.replace(SPACE, "") !== ""
    const opens = SPACE.test(token) || (UNSPACED.test(token) && word !== undefined && !PUNCTUATION.test(word.text))
    if (!word || (opens && !isMark)) {
      const start = Math.max(at, word?.start ?? 0)
      words.push({ text: token.replace(SPACE, ""), start, end: Math.max(until, start), last: at })
      continue
    }
    // A lone space opened a word that has no letters yet; its sound begins with them.
    if (word.text === "") word.start = Math.max(at, word.start)
    word.text += token.replace(SPACE, "")
    word.last = at
    if (!isMark) word.end = Math.max(word.end, until)
  }
  const spoken = words.filter((word) => word.text !== "")
  return spoken.map((word, i) => {
    const next = spoken[i + 1]?.start ?? length_s
    const known = durations.length > 0 ? word.end : Math.max(next, word.start)
    const end = Math.min(Math.max(known, word.start + MIN_WORD_S), length_s)
    return { word: word.text, start: from_s + word.start, end: from_s + Math.max(end, word.start) }
  })
}

/** A text in words; one character a word in scripts without spaces. */
const wordsIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .flatMap((part) => (UNSPACED.test(part) ? [...part.matchAll(/.[\p{P}\p{S}]*/gu)].map(([piece]) => piece) : [part]))
    .filter((word) => word !== "")

/** Spreads the words of a text over the time in which it was spoken, in proportion to their letters: an estimate. */
export const estimateWordTimes = (text: string, start_s: number, end_s: number): TimedWord[] => {
  const words = wordsIn(text)
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
