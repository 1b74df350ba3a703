import { partitionPoint } from "../../domain/partition-point.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { parseClock } from "./boundary-text.ts"
import type { Span } from "./types.ts"
import { selectWords } from "./word-range.ts"

/** Boundaries move to silences of at least this length. */
const PAUSE_S = 0.5

const sortUnique = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b)

/**
 * Returns the boundaries in a model's answer, in seconds, in ascending order. Clamps the start times to `within`, ignores
 * end times, and drops empty topics. Returns null if no topic starts at a valid time inside `within`, with a tolerance of
 * one second for rounding.
 */
export const parseBoundaries = (topics: readonly { readonly s: string }[], within: Span): number[] | null => {
  const starts = topics.map(({ s }) => parseClock(s)).filter((s) => s !== null)
  if (!starts.some((s) => s > within.start_s - 1 && s < within.end_s + 1)) return null
  return sortUnique(starts.map((s) => Math.min(within.end_s, Math.max(within.start_s, s))))
    .slice(1)
    .filter((s) => s < within.end_s)
}

const findNearest = (sorted: readonly number[], time: number): number | undefined => {
  const at = partitionPoint(sorted.length, (i) => sorted[i]! < time)
  const [before, after] = [sorted[at - 1], sorted[at]]
  if (before === undefined || after === undefined) return before ?? after
  return time - before <= after - time ? before : after
}

/**
 * Moves each boundary to the nearest pause or speaker change within half a block of `blockSeconds`, or otherwise to the
 * nearest start of a word. Every span between the boundaries then has at least one word. Merges equal boundaries.
 */
export const snapBoundaries = (
  boundaries: readonly number[],
  words: readonly WordSpan[],
  within: Span,
  blockSeconds: number,
): number[] => {
  const inside = selectWords(words, within)
  const wordStarts: number[] = []
  const breaks: number[] = []
  let spokenUntil = inside[0]?.end ?? 0
  for (let i = 1; i < inside.length; i++) {
    const [before, word] = [inside[i - 1]!, inside[i]!]
    if (word.start > before.start) {
      wordStarts.push(word.start)
      if (word.speaker !== before.speaker || word.start - spokenUntil >= PAUSE_S) breaks.push(word.start)
    }
    spokenUntil = Math.max(spokenUntil, word.end)
  }
  return sortUnique(
    boundaries.flatMap((boundary) => {
      const near = findNearest(breaks, boundary)
      if (near !== undefined && Math.abs(near - boundary) <= blockSeconds / 2) return [near]
      return findNearest(wordStarts, boundary) ?? []
    }),
  )
}

/** Splits `within` into spans at ascending boundaries. */
export const splitAtBoundaries = (boundaries: readonly number[], within: Span): Span[] =>
  [within.start_s, ...boundaries].map((start_s, i) => ({ start_s, end_s: boundaries[i] ?? within.end_s }))
