import { removeNul } from "../../../domain/schemas.ts"
import type { TimedWord, WordSpan } from "../../../domain/transcript/words.ts"

export const roundToMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Adds an offset in seconds to word times, from a chunk to the whole recording. */
export const offsetWords = (words: readonly TimedWord[], by_s: number): TimedWord[] =>
  words.map(({ word, start, end }) => ({ word, start: start + by_s, end: end + by_s }))

/**
 * Sorts recognized words by start, removes empty ones, rounds times to milliseconds and limits them to the recording.
 */
export const normalizeWords = (words: readonly TimedWord[], duration_s: number, speaker: string): WordSpan[] => {
  const clamp = (t: number): number => Math.min(Math.max(roundToMilliseconds(t), 0), roundToMilliseconds(duration_s))
  return words
    .map((timed) => ({ ...timed, word: removeNul(timed.word).trim() }))
    .filter(({ word }) => word !== "")
    .map(({ word, start, end }) => ({
      word,
      start: clamp(start),
      end: clamp(Math.max(start, end)),
      speaker,
    }))
    .sort((a, b) => a.start - b.start)
}
