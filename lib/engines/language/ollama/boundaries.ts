import { mapConcurrently } from "../../../platform/concurrency.ts"
import { cutsOf, snapCuts, splitAtBoundaries } from "../boundary-spans.ts"
import {
  lineSpan,
  linesOf,
  renderLines,
  speakerNumbers,
  suggestedCount,
  timedLine,
  wordsWithin,
} from "../boundary-text.ts"
import type { BoundaryRequest, CallContext, Span } from "../types.ts"
import type { Ask } from "./ask.ts"
import { lineWindows } from "./passages.ts"
import { ANSWERS, boundariesPrompt, promptFrame } from "./prompts.ts"
import { transcriptTokenBudget } from "./tokens.ts"
import { mergeCuts } from "./windows.ts"

/** A window's part of what suits the whole stretch, for a topic must not be counted again in every window. */
const countFor = (stretch: Span, within: Span): number => {
  const share = (stretch.end_s - stretch.start_s) / (within.end_s - within.start_s)
  return Math.max(2, Math.round(suggestedCount(within) * share))
}

/** Where topics change inside a stretch: one call, or one a window, at once, when the text exceeds the context. */
export const findBoundaries = async (ask: Ask, request: BoundaryRequest, ctx: CallContext): Promise<Span[]> => {
  const { words, within, level, blockSeconds } = request
  const inside = wordsWithin(words, within)
  if (inside.length < 2) return splitAtBoundaries([], within)
  const lines = linesOf(inside, blockSeconds, speakerNumbers(words))
  const room = transcriptTokenBudget(ctx.numCtx, ctx.reasoning, promptFrame(boundariesPrompt(level, within, 7, "")))
  const windows = lineWindows(lines, timedLine, room)
  let done = 0
  ctx.progress?.(done, windows.length)
  const found = await mapConcurrently(
    windows,
    ctx.concurrency ?? windows.length,
    ctx.signal,
    async (window, signal, i) => {
      const stretch = {
        start_s: i === 0 ? within.start_s : lineSpan(window[0]!).start_s,
        end_s: i === windows.length - 1 ? within.end_s : lineSpan(window.at(-1)!).end_s,
      }
      const cuts = await ask(
        {
          what: "boundaries",
          rank: "path",
          messages: boundariesPrompt(level, stretch, countFor(stretch, within), renderLines(window)),
          schema: ANSWERS.boundaries,
          read: ({ topics }) => {
            const value = cutsOf(topics, stretch)
            return value ? { value } : { problem: 'No "s" is a time of the stretch, written MM:SS.' }
          },
        },
        { ...ctx, signal },
      )
      ctx.progress?.(++done, windows.length)
      return { from: stretch.start_s, to: stretch.end_s, cuts }
    },
  )
  return splitAtBoundaries(snapCuts(mergeCuts(found, blockSeconds), words, within, blockSeconds), within)
}
