import { partitionPoint } from "../../domain/partition-point.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { parseClock } from "./boundary-text.ts"
import { type FindQuote, isDistinctive } from "./find-quote.ts"
import type { Span } from "./types.ts"
import { selectWords } from "./word-range.ts"

/** Boundaries move to silences of at least this length. */
const PAUSE_S = 0.5

const sortUnique = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b)

/** A topic in the answer of a model: when it starts, and perhaps the first words spoken in it. */
export type TopicStart = { readonly s: string; readonly q?: string | undefined }

export type ParsedBoundaries = {
  /** In seconds, in ascending order. */
  readonly times: readonly number[]
  /** The times that come from quotes: the exact starts of words. */
  readonly quoted: ReadonlySet<number>
  /** The quotes that do not occur. The time of their topic counts. */
  readonly missing: readonly string[]
}

/**
 * Returns the boundaries in a model's answer. A quote corrects the time of its topic. Clamps the start times to `within`,
 * and drops empty topics. Returns null if no topic starts at a valid time inside `within`, with a tolerance of one second for
 * rounding.
 */
export const parseBoundaries = (
  topics: readonly TopicStart[],
  within: Span,
  findQuote: FindQuote = () => null,
): ParsedBoundaries | null => {
  const quoted = new Set<number>()
  const missing: string[] = []
  const starts: number[] = []
  for (const { s, q = "" } of topics) {
    const told = parseClock(s)
    // Without a time, a short quote says nothing.
    const canFind = told === null ? isDistinctive(q) : q.trim() !== ""
    const exact = canFind ? findQuote(q, told ?? starts.at(-1) ?? within.start_s) : null
    if (exact !== null) quoted.add(exact)
    else if (q.trim() !== "") missing.push(q.trim())
    const start = exact ?? told
    if (start !== null) starts.push(start)
  }
  if (!starts.some((s) => s > within.start_s - 1 && s < within.end_s + 1)) return null
  const times = sortUnique(starts.map((s) => Math.min(within.end_s, Math.max(within.start_s, s))))
    .slice(1)
    .filter((s) => s < within.end_s)
  return { times, quoted, missing }
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
