import type { Logger } from "../../../platform/logger.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { clock, wordsWithin } from "../boundary-text.ts"
import { findUngroundedTerms } from "../grounding.ts"
import type { Slots } from "../priority-limiter.ts"
import type { CallContext, OverviewRequest, Span, Summary, SummaryRequest, TopicModel } from "../types.ts"
import { type Ask, createAsk, type Verdict } from "./ask.ts"
import { findBoundaries } from "./boundaries.ts"
import { callOllama, fullModelName, modelMissing } from "./client.ts"
import { condense } from "./condense.ts"
import { passagesOf } from "./passages.ts"
import { ANSWERS, decidePrompt, type Message, overviewPrompt, promptFrame, summaryPrompt } from "./prompts.ts"
import { tidySummary } from "./titles.ts"
import { estimateTokens, transcriptTokenBudget } from "./tokens.ts"
import { windowsOf } from "./windows.ts"

export type OllamaTopicOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Limit of one call, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
  /** Shared with the other models of the server; its own when left out. */
  readonly slots?: Slots
}

/** A server that is being stopped must not hold up the end of a job. */
const RELEASE_TIMEOUT_MS = 10_000

/** Inventions that a repair names. */
const MAX_NAMED = 6

const room = (ctx: CallContext, empty: readonly Message[]): number =>
  transcriptTokenBudget(ctx.numCtx, ctx.reasoning, promptFrame(empty))

const decide = async (ask: Ask, { words, node, siblings }: SummaryRequest, ctx: CallContext) => {
  const texts = passagesOf(words, node, room(ctx, decidePrompt(node, siblings.length, "")))
  let last = { reason: "Nothing is said in it.", subdivide: false }
  for (const text of texts) {
    last = await ask(
      {
        what: "a decision",
        rank: "path",
        messages: decidePrompt(node, siblings.length, text),
        schema: ANSWERS.decide,
        read: ({ reason, subdivide }) => ({ value: { reason: reason.trim(), subdivide } }),
      },
      ctx,
    )
    // Two subtopics in one part of a passage are two subtopics of the passage.
    if (last.subdivide) break
  }
  return last
}

/** A summary in the form that is promised, whose names and numbers its material holds. */
const faithful = (answer: Summary, maxSentences: number, material: string): Verdict<Summary> => {
  const tidy = tidySummary(answer, maxSentences)
  if (!("value" in tidy)) return tidy
  const strange = findUngroundedTerms(tidy.value.summary, material)
  if (strange.length === 0) return tidy
  const listed = strange.slice(0, MAX_NAMED).join(", ")
  return { problem: `The summary names what the material does not: ${listed}.` }
}

/** All that is said in a stretch. A summary of summaries is held against this, too. */
const saidIn = (words: SummaryRequest["words"], span: Span): string =>
  wordsWithin(words, span)
    .map((w) => w.word)
    .join(" ")

const NO_SPEECH: Summary = { title: "No speech", summary: "" }

const summarise = (ask: Ask, { words, node, siblings }: SummaryRequest, ctx: CallContext): Promise<Summary> => {
  const budget = room(ctx, summaryPrompt(node, siblings.length, ""))
  const texts = passagesOf(words, node, budget)
  if (texts.length === 0) return Promise.resolve(NO_SPEECH)
  const said = saidIn(words, node)
  return condense(texts, budget, ctx, (text, ctx) =>
    ask(
      {
        what: "a title and a summary",
        // Parts are found late; topics can be summed up while their parts are looked for.
        rank: node.id.includes(".") ? "next" : "side",
        messages: summaryPrompt(node, siblings.length, text),
        schema: ANSWERS.summary,
        read: (answer) => faithful(answer, 2, `${said} ${text}`),
      },
      ctx,
    ),
  )
}

const overview = (ask: Ask, { words, topics }: OverviewRequest, ctx: CallContext): Promise<Summary> => {
  if (topics.length === 0) return Promise.resolve(NO_SPEECH)
  const budget = room(ctx, overviewPrompt(topics.length, ""))
  const lines = topics.flatMap((topic) => [
    `${topic.id}. ${topic.title} (from ${clock(topic.start_s)}): ${topic.summary}`,
    ...topic.children.map((child) => `  ${child.id}. ${child.title}: ${child.summary}`),
  ])
  const said = saidIn(words, { start_s: 0, end_s: Number.POSITIVE_INFINITY })
  const texts = windowsOf(lines, (line) => estimateTokens(line) + 1, budget).map((window) => window.join("\n"))
  return condense(texts, budget, ctx, (text, ctx) =>
    ask(
      {
        what: "an overview",
        rank: "next",
        messages: overviewPrompt(topics.length, text),
        schema: ANSWERS.summary,
        read: (answer) => faithful(answer, 4, `${said} ${text}`),
      },
      ctx,
    ),
  )
}

/** Topics by a language model on an Ollama server. Safe to call concurrently; each call obeys `ctx.signal`. */
export const createOllamaTopicModel = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry,
  slots,
}: OllamaTopicOptions): TopicModel => {
  const server = { baseUrl, timeoutMs }
  const ask = createAsk(server, model, log, { telemetry, slots })
  return {
    provider: "ollama",
    model,
    check: async (signal) => {
      const { models } = await callOllama(server, model, signal, (client) => client.list())
      if (!models.some(({ name }) => fullModelName(name) === fullModelName(model))) throw modelMissing(model, baseUrl)
    },
    boundaries: (request, ctx) => findBoundaries(ask, request, ctx),
    decide: (request, ctx) => decide(ask, request, ctx),
    summarize: (request, ctx) => summarise(ask, request, ctx),
    overview: (request, ctx) => overview(ask, request, ctx),
    release: async () => {
      try {
        await callOllama({ baseUrl, timeoutMs: Math.min(timeoutMs, RELEASE_TIMEOUT_MS) }, model, undefined, (client) =>
          client.generate({ model, prompt: "", keep_alive: 0, stream: false }),
        )
      } catch (error) {
        log.warn({ model, err: error }, "the model could not be released; its server frees it after keep_alive")
      }
    },
  }
}
