import type { TopicDetail } from "../../../domain/jobs/jobs.ts"
import { mapConcurrently } from "../../../platform/concurrency.ts"
import { parseBoundaries, snapBoundaries, splitAtBoundaries } from "../boundary-spans.ts"
import {
  formatLine,
  formatLines,
  getLineSpan,
  groupIntoLines,
  numberSpeakers,
  suggestTopicCount,
} from "../boundary-text.ts"
import { createQuoteFinder } from "../find-quote.ts"
import type { BoundaryRequest, CallContext, Span } from "../types.ts"
import { selectWords } from "../word-range.ts"
import { boundariesPrompt, joinPrompt } from "./prompts.ts"
import type { StructuredChat } from "./structured-chat.ts"
import { transcriptTokenBudget } from "./tokens.ts"
import { mergeBoundaries, splitLinesIntoWindows } from "./windows.ts"

/** Returns the number of topics to suggest for a window: its share of the number for the whole span, at least 2. */
const suggestWindowCount = (window: Span, within: Span, detail: TopicDetail): number => {
  const share = (window.end_s - window.start_s) / (within.end_s - within.start_s)
  return Math.max(2, Math.round(suggestTopicCount(within, detail) * share))
}

/** The number of missing quotes, and of characters of each, that the repair request names. */
const MAX_MISSING = 5
const MAX_MISSING_CHARS = 80

const describeMissing = (quotes: readonly string[]): string => {
  const list = quotes.slice(0, MAX_MISSING).map((quote) => `"${quote.slice(0, MAX_MISSING_CHARS)}"`)
  return `The transcript does not contain these words of "q": ${list.join(", ")}. Copy the first words of each topic exactly.`
}

/** Finds the topics of a span with one call, or with one concurrent call per window if the text exceeds the context. */
export const findBoundaries = async (
  chat: StructuredChat,
  request: BoundaryRequest,
  ctx: CallContext,
): Promise<Span[]> => {
  const { words, within, level, detail, blockSeconds } = request
  const inside = selectWords(words, within)
  if (inside.length < 2) return splitAtBoundaries([], within)
  const lines = groupIntoLines(inside, blockSeconds, numberSpeakers(words))
  const budget = transcriptTokenBudget(
    ctx.numCtx,
    ctx.reasoning,
    joinPrompt(boundariesPrompt({ level, span: within, count: 7, detail }, "")),
  )
  const windows = splitLinesIntoWindows(lines, formatLine, budget)
  let done = 0
  ctx.onProgress?.(done, windows.length)
  const found = await mapConcurrently(
    windows,
    ctx.concurrency ?? windows.length,
    ctx.signal,
    async (window, signal, i) => {
      const span = {
        start_s: i === 0 ? within.start_s : getLineSpan(window[0]!).start_s,
        end_s: i === windows.length - 1 ? within.end_s : getLineSpan(window.at(-1)!).end_s,
      }
      const findQuote = createQuoteFinder(window.flatMap((line) => line.words))
      const { times, quoted } = await chat(
        {
          what: "boundaries",
          priority: "critical",
          messages: boundariesPrompt(
            { level, span, count: suggestWindowCount(span, within, detail), detail },
            formatLines(window),
          ),
          kind: "boundaries",
          parse: ({ topics }, { isRepair }) => {
            const value = parseBoundaries(topics, span, findQuote)
            if (!value) return { problem: 'No "s" is a time of the stretch, written MM:SS.' }
            return value.missing.length === 0 || isRepair ? { value } : { problem: describeMissing(value.missing) }
          },
        },
        { ...ctx, signal },
      )
      // The beginning of a line is what a model copies when it only knows the line.
      const lineStarts = new Set(window.map((line) => line.words[0]!.start))
      const isExact = (time: number) => quoted.has(time) && !lineStarts.has(time)
      const inexact = times.filter((time) => !isExact(time))
      const boundaries = [...times.filter(isExact), ...snapBoundaries(inexact, words, within, blockSeconds)].sort(
        (a, b) => a - b,
      )
      ctx.onProgress?.(++done, windows.length)
      return { from: span.start_s, to: span.end_s, boundaries }
    },
  )
  const merged = mergeBoundaries(found, blockSeconds).filter((time) => time > within.start_s && time < within.end_s)
  return splitAtBoundaries([...new Set(merged)], within)
}
