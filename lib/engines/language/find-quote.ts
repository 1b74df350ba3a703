import { splitWords } from "../../domain/text/tokens.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { normalizeLetters } from "./grounding.ts"

/** A quote that goes on after its topic has begun, or is wrong at its end, is found by at least this many first words. */
const MIN_WORDS = 3
/** Fewer letters occur by chance. Such a quote must occur as a whole, in whole words. */
const MIN_LETTERS = 8

/** What a model may copy from the beginning of a line. */
const LINE_LABEL = /^\s*(?:\d+:\d+\s*-\s*\d+:\d+\s*)?(?:Speaker \d+:)?/

/** Returns where a quote begins, in seconds, at the occurrence nearest to `near_s`; null if it does not occur. */
export type FindQuote = (quote: string, near_s: number) => number | null

/** Returns true if a quote is long enough to tell where it is from, without a time. */
export const isDistinctive = (quote: string): boolean => normalizeLetters(quote).length >= MIN_LETTERS

/**
 * Creates a function that finds quotes in a transcript. Case, punctuation and the division into words do not matter. If a
 * quote does not occur as a whole, its longest beginning counts.
 */
export const createQuoteFinder = (words: readonly WordSpan[]): FindQuote => {
  let letters = ""
  const startAt = new Map<number, number>()
  for (const { word, start } of words) {
    const own = normalizeLetters(word)
    if (own === "") continue
    startAt.set(letters.length, start)
    letters += own
  }
  const isWordEnd = (at: number): boolean => at === letters.length || startAt.has(at)
  const findNearest = (text: string, near_s: number): number | null => {
    let best: number | null = null
    for (let at = letters.indexOf(text); at >= 0; at = letters.indexOf(text, at + 1)) {
      const start = startAt.get(at)
      if (start === undefined || (text.length < MIN_LETTERS && !isWordEnd(at + text.length))) continue
      if (best === null || Math.abs(start - near_s) < Math.abs(best - near_s)) best = start
    }
    return best
  }
  return (quote, near_s) => {
    const parts = splitWords(quote.replace(LINE_LABEL, "")).map(normalizeLetters)
    for (let count = parts.length; count > 0; count--) {
      const text = parts.slice(0, count).join("")
      const isWhole = count === parts.length
      if (text === "" || (!isWhole && (count < MIN_WORDS || text.length < MIN_LETTERS))) return null
      const found = findNearest(text, near_s)
      if (found !== null) return found
    }
    return null
  }
}
