import type { WordSpan } from "./words.ts"

/**
 * A word without its text: its length in UTF-16 code units, the time from the start of the previous word to its own, its
 * duration, both in milliseconds, and its speaker if another one spoke before.
 */
export type WordTiming = readonly [length: number, delay_ms: number, duration_ms: number, speaker?: string]

/** Joins words with single spaces. `restoreWords` splits this text again. */
export const joinWords = (words: readonly WordSpan[]): string => words.map(({ word }) => word).join(" ")

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000)

/** Returns the timings of words, which take about 13 bytes per word as JSON. */
export const toTimings = (words: readonly WordSpan[]): WordTiming[] =>
  words.map(({ word, start, end, speaker }, i) => {
    const before = words[i - 1]
    const start_ms = toMilliseconds(start)
    const timing = [word.length, start_ms - toMilliseconds(before?.start ?? 0), toMilliseconds(end) - start_ms] as const
    return speaker === before?.speaker ? timing : [...timing, speaker]
  })

/** Restores words from the text that `joinWords` returned and their timings. Times are rounded to milliseconds. */
export const restoreWords = (text: string, timings: readonly WordTiming[]): WordSpan[] => {
  let from = 0
  let start_ms = 0
  let speaker = ""
  return timings.map(([length, delay_ms, duration_ms, nextSpeaker]) => {
    const word = text.slice(from, from + length)
    from += length + 1
    start_ms += delay_ms
    speaker = nextSpeaker ?? speaker
    return { word, start: start_ms / 1000, end: (start_ms + duration_ms) / 1000, speaker }
  })
}
