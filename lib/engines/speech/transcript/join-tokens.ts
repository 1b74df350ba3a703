import { UNSPACED } from "../../../domain/transcript/estimate-word-times.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"

/** The tokens of a segment with their start times in seconds from the start of the segment. */
export type TimedTokens = {
  readonly tokens: readonly string[]
  readonly timestamps: readonly number[]
  /** The length of each token in seconds; empty if the recognizer does not report it. */
  readonly durations: readonly number[]
}

/** Shorter words could not be clicked. */
const MIN_WORD_S = 0.02
/** Matches the space before a word, which SentencePiece writes as ▁. */
const LEADING_SPACE = /^[▁\s]+/
const PUNCTUATION = /^[\p{P}\p{S}\s▁]+$/u

type PartialWord = { text: string; start: number; end: number; last: number }

/**
 * Joins tokens into words with times in seconds of the recording. A new word starts at a token with a leading space, or at
 * any token in a script without spaces. Punctuation belongs to the word before it. A word ends with its last token or,
 * without durations, at the start of the next word. No token is lost, starts do not decrease, and every word lies within
 * the segment and lasts at least 20 ms if there is room.
 * @param from_s the start of the segment in the recording
 * @param length_s the length of the segment
 */
export const joinTokens = (
  { tokens, timestamps, durations }: TimedTokens,
  { from_s, length_s }: { readonly from_s: number; readonly length_s: number },
): TimedWord[] => {
  const words: PartialWord[] = []
  const clamp = (t: number): number => Math.min(Math.max(t, 0), length_s)
  for (const [i, token] of tokens.entries()) {
    const at = clamp(timestamps[i] ?? words.at(-1)?.last ?? 0)
    const until = clamp(at + (durations[i] ?? 0))
    const word = words.at(-1)
    const isMark = PUNCTUATION.test(token) && token.replace(LEADING_SPACE, "") !== ""
    const startsWord =
      LEADING_SPACE.test(token) || (UNSPACED.test(token) && word !== undefined && !PUNCTUATION.test(word.text))
    if (!word || (startsWord && !isMark)) {
      const start = Math.max(at, word?.start ?? 0)
      words.push({ text: token.replace(LEADING_SPACE, ""), start, end: Math.max(until, start), last: at })
      continue
    }
    // A lone space started this word. The word begins with its first letters.
    if (word.text === "") word.start = Math.max(at, word.start)
    word.text += token.replace(LEADING_SPACE, "")
    word.last = at
    if (!isMark) word.end = Math.max(word.end, until)
  }
  const nonEmpty = words.filter((word) => word.text !== "")
  return nonEmpty.map((word, i) => {
    const next = nonEmpty[i + 1]?.start ?? length_s
    const known = durations.length > 0 ? word.end : Math.max(next, word.start)
    const end = Math.min(Math.max(known, word.start + MIN_WORD_S), length_s)
    return { word: word.text, start: from_s + word.start, end: from_s + Math.max(end, word.start) }
  })
}
