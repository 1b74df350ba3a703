import type { Logger } from "../../../platform/logger.ts"
import type { PriorityLimiter } from "../priority-limiter.ts"
import type { CallContext, DecisionRequest, TopicModel } from "../types.ts"
import { findBoundaries } from "./boundaries.ts"
import { decidePrompt, joinPrompt } from "./prompts.ts"
import { nameRegion } from "./regions.ts"
import { createStructuredChat, type StructuredChat } from "./structured-chat.ts"
import { summarizeNode, summarizeRecording } from "./summaries.ts"
import { transcriptTokenBudget } from "./tokens.ts"
import type { ModelTransport } from "./transport.ts"
import { buildTranscriptWindows } from "./windows.ts"

/** Decides whether a topic has subtopics. A topic that exceeds the context has some if one of its windows has. */
const decide = async (chat: StructuredChat, { words, node, siblings, detail }: DecisionRequest, ctx: CallContext) => {
  const frame = joinPrompt(decidePrompt(node, siblings.length, detail, ""))
  const budget = transcriptTokenBudget(ctx.numCtx, ctx.reasoning, frame)
  let decision = { reason: "The section has no speech.", subdivide: false }
  for (const text of buildTranscriptWindows(words, node, budget)) {
    decision = await chat(
      {
        what: "a decision",
        priority: "critical",
        messages: decidePrompt(node, siblings.length, detail, text),
        kind: "decide",
        parse: ({ reason, subdivide }) => ({ value: { reason: reason.trim(), subdivide } }),
      },
      ctx,
    )
    if (decision.subdivide) break
  }
  return decision
}

/**
 * Creates a topic model that uses a language model on a server.
 * @param limiter limits the calls of all models that share it. By default each model has its own limiter.
 */
export const createModelTopicModel = (
  transport: ModelTransport,
  log: Logger,
  limiter?: PriorityLimiter | undefined,
): TopicModel => {
  const chat = createStructuredChat(transport, log, limiter)
  /** Runs a request with a context that the server has. */
  const within =
    <R, T>(run: (chat: StructuredChat, request: R, ctx: CallContext) => Promise<T>) =>
    async (request: R, ctx: CallContext): Promise<T> =>
      run(chat, request, { ...ctx, numCtx: await transport.fitContext(ctx.numCtx, ctx.signal) })
  return {
    provider: transport.provider,
    model: transport.model,
    check: (signal) => transport.check(signal),
    findBoundaries: within(findBoundaries),
    decide: within(decide),
    summarize: within(summarizeNode),
    summarizeRecording: within(summarizeRecording),
    nameRegion: within(nameRegion),
    release: () => transport.release(),
  }
}
