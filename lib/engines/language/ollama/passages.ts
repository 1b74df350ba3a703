import type { WordSpan } from "../../../domain/transcript/words.ts"
import { type Line, linesOf, speakerNumbers, wordsWithin } from "../boundary-text.ts"
import type { Span } from "../types.ts"
import { estimateTokens } from "./tokens.ts"
import { splitLongLines, windowsOf } from "./windows.ts"

/** A line may take at most this part of a window, so that windows fill and overlap evenly. */
const LINE_SHARE = 1 / 10

/** Windows of lines within a budget of tokens; one window when all fit. */
export const lineWindows = (lines: readonly Line[], show: (line: Line) => string, budget: number): Line[][] => {
  const cost = (line: Line) => estimateTokens(show(line)) + 1
  const whole = lines.reduce((sum, line) => sum + cost(line), 0)
  if (whole <= budget) return [[...lines]]
  return windowsOf(splitLongLines(lines, cost, Math.max(32, budget * LINE_SHARE)), cost, budget)
}

/**
 * What is said in a stretch, one line a speaker turn, in as many overlapping texts as the budget of tokens asks for.
 * Speakers are named only where a recording has more than one. Empty when nothing is said.
 */
export const passagesOf = (words: readonly WordSpan[], span: Span, budget: number): string[] => {
  const numbers = speakerNumbers(words)
  const lines = linesOf(wordsWithin(words, span), Number.POSITIVE_INFINITY, numbers)
  if (lines.length === 0) return []
  const show = (line: Line) =>
    `${numbers.size > 1 ? `Speaker ${line.speaker}: ` : ""}${line.words.map((w) => w.word).join(" ")}`
  return lineWindows(lines, show, budget).map((window) => window.map(show).join("\n"))
}
