import { partitionPoint } from "../../domain/partition-point.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { parseClock, wordsWithin } from "./boundary-text.ts"
import type { Span } from "./types.ts"

/** A silence of this many seconds between two words is a place where a topic may end. */
const PAUSE_S = 0.5

const ascending = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b)

/**
 * The boundaries inside `within` that a model's answer means, in seconds, rising. Times are clamped and sorted, each
 * topic ends where the next one starts, the first starts and the last ends with `within`, empty topics are dropped.
 * Null when no topic of the answer has a readable time inside `within` (with a second to spare for rounding).
 */
export const cutsOf = (topics: readonly { readonly s: string }[], within: Span): number[] | null => {
  const starts = topics.map(({ s }) => parseClock(s)).filter((s) => s !== null)
  if (!starts.some((s) => s > within.start_s - 1 && s < within.end_s + 1)) return null
  return ascending(starts.map((s) => Math.min(within.end_s, Math.max(within.start_s, s))))
    .slice(1)
    .filter((s) => s < within.end_s)
}

const nearest = (sorted: readonly number[], time: number): number | undefined => {
  const at = partitionPoint(sorted.length, (i) => sorted[i]! < time)
  const [before, after] = [sorted[at - 1], sorted[at]]
  if (before === undefined || after === undefined) return before ?? after
  return time - before <= after - time ? before : after
}

/**
 * Moves each boundary to the nearest pause or change of speaker within half a bucket, else to the nearest start of a
 * word. Afterwards every part holds at least one word; boundaries that fall together become one.
 */
export const snapCuts = (
  cuts: readonly number[],
  words: readonly WordSpan[],
  within: Span,
  blockSeconds: number,
): number[] => {
  const inside = wordsWithin(words, within)
  const borders: number[] = []
  const breaks: number[] = []
  let spokenUntil = inside[0]?.end ?? 0
  for (let i = 1; i < inside.length; i++) {
    const [before, word] = [inside[i - 1]!, inside[i]!]
    if (word.start > before.start) {
      borders.push(word.start)
      if (word.speaker !== before.speaker || word.start - spokenUntil >= PAUSE_S) breaks.push(word.start)
    }
    spokenUntil = Math.max(spokenUntil, word.end)
  }
  return ascending(
    cuts.flatMap((cut) => {
      const strong = nearest(breaks, cut)
      if (strong !== undefined && Math.abs(strong - cut) <= blockSeconds / 2) return [strong]
      return nearest(borders, cut) ?? []
    }),
  )
}

/** Parts of `within` between rising boundaries; one part when there are none. */
export const splitAtBoundaries = (cuts: readonly number[], within: Span): Span[] =>
  [within.start_s, ...cuts].map((start_s, i) => ({ start_s, end_s: cuts[i] ?? within.end_s }))
