import * as z from "zod"
import type { Logger } from "../../../platform/logger.ts"
import { noTelemetry } from "../../../platform/telemetry/none.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { InvalidModelOutputError } from "../invalid-model-output.ts"
import { traceModelCall } from "../model-call.ts"
import { type CallPriority, createPriorityLimiter, type PriorityLimiter } from "../priority-limiter.ts"
import type { CallContext } from "../types.ts"
import { callOllama, KEEP_ALIVE, type OllamaServer, readUsage, supportsThinking } from "./client.ts"
import { type Message, repairPrompt } from "./prompts.ts"
import { answerTokenBudget } from "./tokens.ts"

/** Characters of an invalid answer that the repair request quotes. */
const MAX_QUOTED_CHARS = 600

/** The result of parsing an answer, or a sentence about what is wrong with it. */
export type ParseResult<T> = { readonly value: T } | { readonly problem: string }

export type StructuredRequest<Wire, T> = {
  /** Name of the requested data for error messages, such as "boundaries" or "a summary". */
  readonly what: string
  readonly messages: readonly Message[]
  readonly schema: z.ZodType<Wire>
  readonly priority: CallPriority
  /** Converts an answer that matches the schema. */
  readonly parse: (answer: Wire) => ParseResult<T>
}

/** Waits for a promise that several callers share, until this caller's signal is aborted. */
const waitUnlessAborted = async <T>(shared: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort, { once: true })
  })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}

const parseAnswer = <Wire, T>(text: string, request: StructuredRequest<Wire, T>): ParseResult<T> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: "It is not valid JSON." }
  }
  const parsed = request.schema.safeParse(json)
  if (!parsed.success)
    return {
      problem: `${parsed.error.issues.map((i) => `${i.path.join(".") || "the answer"}: ${i.message}`).join("; ")}.`,
    }
  return request.parse(parsed.data)
}

/**
 * Returns a function that requests structured data from a language model, with a JSON schema as `format` and temperature
 * 0. If the answer is invalid, it sends one repair request.
 * @throws InvalidModelOutputError if the second answer is invalid, too
 */
export const createStructuredChat = (
  server: OllamaServer,
  model: string,
  log: Logger,
  {
    telemetry = noTelemetry,
    limiter = createPriorityLimiter(),
  }: { telemetry?: Telemetry | undefined; limiter?: PriorityLimiter | undefined },
) => {
  let thinkingSupport: Promise<boolean> | undefined

  /** Queries the server once per model, without a caller's signal because all callers share the result. */
  const queryThinkingSupport = (): Promise<boolean> => {
    thinkingSupport ??= supportsThinking(server, model, undefined).catch((error: unknown) => {
      thinkingSupport = undefined
      throw error
    })
    return thinkingSupport
  }

  const chat = async (
    messages: readonly Message[],
    format: object,
    priority: CallPriority,
    ctx: CallContext,
  ): Promise<string> => {
    // Ollama rejects `think` for models that do not support it.
    const think = (await waitUnlessAborted(queryThinkingSupport(), ctx.signal)) ? { think: ctx.reasoning } : {}
    const maxTokens = answerTokenBudget(ctx.numCtx, ctx.reasoning)
    const request = {
      model,
      messages: [...messages],
      format,
      ...think,
      // Rejects a prompt that exceeds the context. By default, Ollama would truncate it silently.
      truncate: false,
      keep_alive: KEEP_ALIVE,
      options: { temperature: 0, num_ctx: ctx.numCtx, num_predict: maxTokens },
    }
    const maxConcurrent = ctx.concurrency ?? Number.POSITIVE_INFINITY
    const answer = await limiter({ maxConcurrent, priority, signal: ctx.signal }, () =>
      traceModelCall(
        telemetry,
        { operation: "chat", provider: "ollama", model, baseUrl: server.baseUrl, maxTokens },
        () => callOllama(server, model, ctx.signal, (client) => client.chat({ ...request, stream: false })),
        readUsage,
      ),
    )
    return answer.message?.content ?? ""
  }

  return async <Wire, T>(request: StructuredRequest<Wire, T>, ctx: CallContext): Promise<T> => {
    const { $schema: _, ...format } = z.toJSONSchema(request.schema)
    const firstAnswer = await chat(request.messages, format, request.priority, ctx)
    const first = parseAnswer(firstAnswer, request)
    if ("value" in first) return first.value
    log.warn(
      { model, what: request.what, problem: first.problem },
      "invalid answer from the model; requesting a repair",
    )
    const messages: Message[] = [
      ...request.messages,
      { role: "assistant", content: firstAnswer.slice(0, MAX_QUOTED_CHARS) },
      repairPrompt(first.problem),
    ]
    const second = parseAnswer(await chat(messages, format, request.priority, ctx), request)
    if ("value" in second) return second.value
    throw new InvalidModelOutputError(model, request.what, second.problem)
  }
}

export type StructuredChat = ReturnType<typeof createStructuredChat>
