import { withoutNul } from "../../../domain/schemas.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** A recognised word, in seconds from the start of what the engine was given. */
export type TimedWord = { readonly word: string; readonly start: number; readonly end: number }

/** Seconds in whole milliseconds. */
export const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Moves words that were recognised in a chunk to the chunk's place in the recording. */
export const offsetWords = (words: readonly TimedWord[], by_s: number): TimedWord[] =>
  words.map(({ word, start, end }) => ({ word, start: start + by_s, end: end + by_s }))

/**
 * Makes a transcript of recognised words: in the order of their starts, inside the recording, none ending before it
 * starts, times in whole milliseconds. Empty words are left out.
 */
export const normalizeWords = (words: readonly TimedWord[], duration_s: number, speaker: string): WordSpan[] => {
  const inside = (t: number): number => Math.min(Math.max(milliseconds(t), 0), milliseconds(duration_s))
  return words
    .map((timed) => ({ ...timed, word: withoutNul(timed.word).trim() }))
    .filter(({ word }) => word !== "")
    .map(({ word, start, end }) => ({
      word,
      start: inside(start),
      end: inside(Math.max(start, end)),
      speaker,
    }))
    .sort((a, b) => a.start - b.start)
}
