import { z } from "zod"
import type { Logger } from "../../../platform/logger.ts"
import { noTelemetry } from "../../../platform/telemetry/none.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { InvalidModelOutputError } from "../invalid-model-output.ts"
import { callModel } from "../model-call.ts"
import { createPriorityLimiter, type SlotRank, type Slots } from "../priority-limiter.ts"
import type { CallContext } from "../types.ts"
import { callOllama, type OllamaServer, usageOf } from "./client.ts"
import { type Message, repairPrompt } from "./prompts.ts"
import { answerRoom } from "./tokens.ts"

/** How long a model stays loaded after a call: long enough for the next call of the run, short enough to free a GPU. */
export const KEEP_ALIVE = "5m"

/** Characters of a failed answer that are shown back to the model. */
const SHOWN = 600

export type Verdict<T> = { readonly value: T } | { readonly problem: string }

export type Question<Wire, T> = {
  /** What is asked for, for errors: "boundaries", "a summary"… */
  readonly what: string
  readonly messages: readonly Message[]
  readonly schema: z.ZodType<Wire>
  readonly rank: SlotRank
  /** Turns a well-formed answer into the result, or says in a sentence what is wrong with it. */
  readonly read: (answer: Wire) => Verdict<T>
}

/** Waits for a promise that others share, but no longer than one's own signal lets one. */
const unlessAborted = async <T>(shared: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener("abort", leave, { once: true })
  })
  try {
    return await Promise.race([shared, aborted])
  } finally {
    signal.removeEventListener("abort", leave)
  }
}

const judge = <Wire, T>(text: string, question: Question<Wire, T>): Verdict<T> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problem: "It is not valid JSON." }
  }
  const parsed = question.schema.safeParse(json)
  if (!parsed.success)
    return {
      problem: `${parsed.error.issues.map((i) => `${i.path.join(".") || "the answer"}: ${i.message}`).join("; ")}.`,
    }
  return question.read(parsed.data)
}

/**
 * Asks a language model for structured answers: JSON schema as `format`, temperature 0, one repair call when the
 * answer cannot be used.
 */
export const createAsk = (
  server: OllamaServer,
  model: string,
  log: Logger,
  {
    telemetry = noTelemetry,
    slots = createPriorityLimiter(),
  }: { telemetry?: Telemetry | undefined; slots?: Slots | undefined },
) => {
  let thinks: Promise<boolean> | undefined

  /** Asked once a model: servers refuse `think` for models that cannot. Not under a caller's signal, for all share it. */
  const canThink = (): Promise<boolean> => {
    thinks ??= callOllama(server, model, undefined, (client) => client.show({ model }))
      .then(({ capabilities }) => capabilities?.includes("thinking") ?? false)
      .catch((error: unknown) => {
        thinks = undefined
        throw error
      })
    return thinks
  }

  const chat = async (
    messages: readonly Message[],
    format: object,
    rank: SlotRank,
    ctx: CallContext,
  ): Promise<string> => {
    const think = (await unlessAborted(canThink(), ctx.signal)) ? { think: ctx.reasoning } : {}
    const maxTokens = answerRoom(ctx.numCtx, ctx.reasoning)
    const request = {
      model,
      messages: [...messages],
      format,
      ...think,
      // A prompt that is too long after all is to be refused; by default the server would cut it without a word.
      truncate: false,
      keep_alive: KEEP_ALIVE,
      options: { temperature: 0, num_ctx: ctx.numCtx, num_predict: maxTokens },
    }
    const answer = await slots({ most: ctx.concurrency ?? Number.POSITIVE_INFINITY, rank, signal: ctx.signal }, () =>
      callModel(
        telemetry,
        { operation: "chat", provider: "ollama", model, baseUrl: server.baseUrl, maxTokens },
        () => callOllama(server, model, ctx.signal, (client) => client.chat({ ...request, stream: false })),
        usageOf,
      ),
    )
    return answer.message?.content ?? ""
  }

  return async <Wire, T>(question: Question<Wire, T>, ctx: CallContext): Promise<T> => {
    const { $schema: _, ...format } = z.toJSONSchema(question.schema)
    const first = await chat(question.messages, format, question.rank, ctx)
    const verdict = judge(first, question)
    if ("value" in verdict) return verdict.value
    log.warn(
      { model, what: question.what, problem: verdict.problem },
      "the model's answer cannot be used; asking again",
    )
    const again: Message[] = [
      ...question.messages,
      { role: "assistant", content: first.slice(0, SHOWN) },
      repairPrompt(verdict.problem),
    ]
    const second = judge(await chat(again, format, question.rank, ctx), question)
    if ("value" in second) return second.value
    throw new InvalidModelOutputError(model, question.what, second.problem)
  }
}

export type Ask = ReturnType<typeof createAsk>
