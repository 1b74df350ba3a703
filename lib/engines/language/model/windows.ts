import type { WordSpan } from "../../../domain/transcript/words.ts"
import { groupIntoLines, numberSpeakers, type TranscriptLine } from "../boundary-text.ts"
import type { Span } from "../types.ts"
import { selectWords } from "../word-range.ts"
import { estimateTokens } from "./tokens.ts"

/** Share of a window's budget that it has in common with the previous window. */
const OVERLAP = 0.2
/** Maximum share of a window's budget for one line, so that windows fill and overlap evenly. */
const MAX_LINE_SHARE = 1 / 10
const MIN_LINE_TOKENS = 32

/**
 * Splits items into windows whose total cost is within the budget. Each window starts with the last items of the previous
 * one, up to a fifth of the budget. An item that exceeds the budget gets a window of its own.
 */
export const splitIntoWindows = <T>(items: readonly T[], cost: (item: T) => number, budget: number): T[][] => {
  const costs = items.map(cost)
  const windows: T[][] = []
  let from = 0
  while (from < items.length) {
    let to = from
    let spent = 0
    while (to < items.length && (to === from || spent + costs[to]! <= budget)) spent += costs[to++]!
    windows.push(items.slice(from, to))
    if (to === items.length) break
    let next = to
    let shared = 0
    while (next - 1 > from && shared + costs[next - 1]! <= budget * OVERLAP) shared += costs[--next]!
    // The next window must have room for at least one new item.
    while (next < to && shared + costs[to]! > budget) shared -= costs[next++]!
    from = next
  }
  return windows
}

/** Splits lines that cost more than `maxCost` between words. */
export const splitLongLines = (
  lines: readonly TranscriptLine[],
  cost: (line: TranscriptLine) => number,
  maxCost: number,
): TranscriptLine[] =>
  lines.flatMap((line) => {
    if (line.words.length < 2 || cost(line) <= maxCost) return [line]
    const middle = line.words.length >> 1
    const halves = [line.words.slice(0, middle), line.words.slice(middle)]
    return splitLongLines(
      halves.map((words) => ({ ...line, words })),
      cost,
      maxCost,
    )
  })

/** Splits lines into windows within a budget of tokens. Returns one window if all lines fit. */
export const splitLinesIntoWindows = (
  lines: readonly TranscriptLine[],
  format: (line: TranscriptLine) => string,
  budget: number,
): TranscriptLine[][] => {
  const cost = (line: TranscriptLine) => estimateTokens(format(line)) + 1
  const total = lines.reduce((sum, line) => sum + cost(line), 0)
  if (total <= budget) return [[...lines]]
  return splitIntoWindows(splitLongLines(lines, cost, Math.max(MIN_LINE_TOKENS, budget * MAX_LINE_SHARE)), cost, budget)
}

/**
 * Formats the words of a span with one line per speaker turn, as overlapping texts within a budget of tokens. Labels the
 * speakers if the recording has more than one. Returns no texts if the span has no words.
 */
export const buildTranscriptWindows = (words: readonly WordSpan[], span: Span, budget: number): string[] => {
  const numbers = numberSpeakers(words)
  const lines = groupIntoLines(selectWords(words, span), Number.POSITIVE_INFINITY, numbers)
  if (lines.length === 0) return []
  const format = (line: TranscriptLine) =>
    `${numbers.size > 1 ? `Speaker ${line.speaker}: ` : ""}${line.words.map((w) => w.word).join(" ")}`
  return splitLinesIntoWindows(lines, format, budget).map((window) => window.map(format).join("\n"))
}

/** The boundaries found in one window, and the ends of the window, in seconds. */
export type WindowBoundaries = { readonly from: number; readonly to: number; readonly boundaries: readonly number[] }

/**
 * Merges the boundaries of overlapping windows into one ascending list. Boundaries of two windows at most `tolerance`
 * apart count as one. Where two windows disagree, each decides its own half of the overlap, of which it has more context.
 */
export const mergeBoundaries = (windows: readonly WindowBoundaries[], tolerance: number): number[] => {
  let merged: number[] = [...(windows[0]?.boundaries ?? [])]
  for (let i = 1; i < windows.length; i++) {
    const [previous, next] = [windows[i - 1]!, windows[i]!]
    const middle = (next.from + previous.to) / 2
    const left = new Set(merged)
    const right = next.boundaries.filter((boundary) => {
      const match = [...left].find((other) => Math.abs(other - boundary) <= tolerance)
      if (match === undefined) return boundary >= middle
      if (match < middle) return false
      left.delete(match)
      return true
    })
    merged = [...[...left].filter((boundary) => boundary < middle), ...right].sort((a, b) => a - b)
  }
  return merged
}
