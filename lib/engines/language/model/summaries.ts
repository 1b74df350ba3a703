import { mapConcurrently } from "../../../platform/concurrency.ts"
import { formatMinutes } from "../boundary-text.ts"
import { findUngroundedTerms } from "../grounding.ts"
import type { CallContext, OverviewRequest, Span, Summary, SummaryRequest } from "../types.ts"
import { selectWords } from "../word-range.ts"
import { joinPrompt, overviewPrompt, summaryPrompt } from "./prompts.ts"
import type { ParseResult, StructuredChat } from "./structured-chat.ts"
import { tidySummary } from "./tidy-summary.ts"
import { estimateTokens, transcriptTokenBudget } from "./tokens.ts"
import { buildTranscriptWindows, splitIntoWindows } from "./windows.ts"

const NO_SPEECH: Summary = { title: "No speech", summary: "" }

/** Maximum number of ungrounded terms that a repair request lists. */
const MAX_LISTED_TERMS = 6

/** Tidies a summary, and rejects it if `source` does not contain its names and numbers. */
const parseSummary = (answer: Summary, maxSentences: number, source: string): ParseResult<Summary> => {
  const tidy = tidySummary(answer, maxSentences)
  if (!("value" in tidy)) return tidy
  const ungrounded = findUngroundedTerms(tidy.value.summary, source)
  if (ungrounded.length === 0) return tidy
  const listed = ungrounded.slice(0, MAX_LISTED_TERMS).join(", ")
  return { problem: `The summary names what the material does not: ${listed}.` }
}

const joinWords = (words: SummaryRequest["words"], span: Span): string =>
  selectWords(words, span)
    .map((w) => w.word)
    .join(" ")

/** Joins lines into groups within a budget of tokens, with at least two lines each so that recursion ends. */
const groupLines = (lines: readonly string[], budget: number): string[] => {
  const maxLineTokens = Math.max(...lines.map(estimateTokens)) + 1
  const size = Math.max(2, Math.floor(budget / maxLineTokens))
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, i) =>
    lines.slice(i * size, (i + 1) * size).join("\n"),
  )
}

/** Summarizes texts that exceed the context: first each text, then the summaries, until one summary is left. */
const summarizeRecursively = async (
  texts: readonly string[],
  budget: number,
  ctx: CallContext,
  summarize: (text: string, ctx: CallContext) => Promise<Summary>,
): Promise<Summary> => {
  const summaries = await mapConcurrently(texts, ctx.concurrency ?? texts.length, ctx.signal, (text, signal) =>
    summarize(text, { ...ctx, signal }),
  )
  if (summaries.length === 1) return summaries[0]!
  const lines = summaries.map(({ title, summary }) => `${title}: ${summary}`)
  return summarizeRecursively(groupLines(lines, budget), budget, ctx, summarize)
}

/** Writes the title and the summary of a topic or a subtopic. */
export const summarizeNode = async (
  chat: StructuredChat,
  { words, node, siblings }: SummaryRequest,
  ctx: CallContext,
): Promise<Summary> => {
  const frame = joinPrompt(summaryPrompt(node, siblings.length, ""))
  const budget = transcriptTokenBudget(ctx.numCtx, ctx.reasoning, frame)
  const texts = buildTranscriptWindows(words, node, budget)
  if (texts.length === 0) return NO_SPEECH
  const transcript = joinWords(words, node)
  return summarizeRecursively(texts, budget, ctx, (text, ctx) =>
    chat(
      {
        what: "a title and a summary",
        // Subtopics are known last. Topic summaries can be written while subtopics are searched.
        priority: node.id.includes(".") ? "final" : "background",
        messages: summaryPrompt(node, siblings.length, text),
        kind: "summary",
        parse: (answer) => parseSummary(answer, 2, `${transcript} ${text}`),
      },
      ctx,
    ),
  )
}

/** Writes the title and the summary of a recording from those of its topics. */
export const summarizeRecording = async (
  chat: StructuredChat,
  { words, topics }: OverviewRequest,
  ctx: CallContext,
): Promise<Summary> => {
  if (topics.length === 0) return NO_SPEECH
  const frame = joinPrompt(overviewPrompt(topics.length, ""))
  const budget = transcriptTokenBudget(ctx.numCtx, ctx.reasoning, frame)
  const lines = topics.flatMap((topic) => [
    `${topic.id}. ${topic.title} (from ${formatMinutes(topic.start_s)}): ${topic.summary}`,
    ...topic.children.map((child) => `  ${child.id}. ${child.title}: ${child.summary}`),
  ])
  const transcript = joinWords(words, { start_s: 0, end_s: Number.POSITIVE_INFINITY })
  const windows = splitIntoWindows(lines, (line) => estimateTokens(line) + 1, budget)
  const texts = windows.map((window) => window.join("\n"))
  return summarizeRecursively(texts, budget, ctx, (text, ctx) =>
    chat(
      {
        what: "an overview",
        priority: "final",
        messages: overviewPrompt(topics.length, text),
        kind: "summary",
        parse: (answer) => parseSummary(answer, 4, `${transcript} ${text}`),
      },
      ctx,
    ),
  )
}
