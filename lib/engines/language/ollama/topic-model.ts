import type { Logger } from "../../../platform/logger.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import type { PriorityLimiter } from "../priority-limiter.ts"
import type { CallContext, SummaryRequest, TopicModel } from "../types.ts"
import { findBoundaries } from "./boundaries.ts"
import { callOllama, createModelMissingError, fullModelName } from "./client.ts"
import { ANSWER_SCHEMAS, decidePrompt, joinPrompt } from "./prompts.ts"
import { nameRegion } from "./regions.ts"
import { createStructuredChat, type StructuredChat } from "./structured-chat.ts"
import { summarizeNode, summarizeRecording } from "./summaries.ts"
import { transcriptTokenBudget } from "./tokens.ts"
import { buildTranscriptWindows } from "./windows.ts"

export type OllamaTopicOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Timeout of one call, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
  /** Limits the calls of all models that share it. By default each model has its own limiter. */
  readonly limiter?: PriorityLimiter
}

/** Short, because a server that is shutting down must not delay the end of a job. */
const RELEASE_TIMEOUT_MS = 10_000

/** Decides whether a topic has subtopics. A topic that exceeds the context has some if one of its windows has. */
const decide = async (chat: StructuredChat, { words, node, siblings }: SummaryRequest, ctx: CallContext) => {
  const frame = joinPrompt(decidePrompt(node, siblings.length, ""))
  const budget = transcriptTokenBudget(ctx.numCtx, ctx.reasoning, frame)
  let decision = { reason: "The section has no speech.", subdivide: false }
  for (const text of buildTranscriptWindows(words, node, budget)) {
    decision = await chat(
      {
        what: "a decision",
        priority: "critical",
        messages: decidePrompt(node, siblings.length, text),
        schema: ANSWER_SCHEMAS.decide,
        parse: ({ reason, subdivide }) => ({ value: { reason: reason.trim(), subdivide } }),
      },
      ctx,
    )
    if (decision.subdivide) break
  }
  return decision
}

/** Creates a topic model that uses a language model on an Ollama server. */
export const createOllamaTopicModel = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry,
  limiter,
}: OllamaTopicOptions): TopicModel => {
  const server = { baseUrl, timeoutMs }
  const chat = createStructuredChat(server, model, log, { telemetry, limiter })
  return {
    provider: "ollama",
    model,
    check: async (signal) => {
      const { models } = await callOllama(server, model, signal, (client) => client.list())
      if (!models.some(({ name }) => fullModelName(name) === fullModelName(model)))
        throw createModelMissingError(model, baseUrl)
    },
    findBoundaries: (request, ctx) => findBoundaries(chat, request, ctx),
    decide: (request, ctx) => decide(chat, request, ctx),
    summarize: (request, ctx) => summarizeNode(chat, request, ctx),
    summarizeRecording: (request, ctx) => summarizeRecording(chat, request, ctx),
    nameRegion: (request, ctx) => nameRegion(chat, request, ctx),
    release: async () => {
      try {
        await callOllama({ baseUrl, timeoutMs: Math.min(timeoutMs, RELEASE_TIMEOUT_MS) }, model, undefined, (client) =>
          client.generate({ model, prompt: "", keep_alive: 0, stream: false }),
        )
      } catch (error) {
        log.warn({ model, err: error }, "could not unload the model; the server unloads it after keep_alive")
      }
    },
  }
}
