import * as z from "zod"
import type { Logger } from "../../../platform/logger.ts"
import { InvalidModelOutputError } from "../invalid-model-output.ts"
import { type CallPriority, createPriorityLimiter, type PriorityLimiter } from "../priority-limiter.ts"
import type { CallContext } from "../types.ts"
import { parseJsonAnswer } from "./parse-json.ts"
import { ANSWER_SCHEMAS, type AnswerKind, type Message, repairPrompt } from "./prompts.ts"
import { removeThinking } from "./thinking.ts"
import { answerTokenBudget } from "./tokens.ts"
import type { ModelTransport } from "./transport.ts"

/** Characters of an invalid answer that the repair request quotes. */
const MAX_QUOTED_CHARS = 600

/** The result of parsing an answer, or a sentence about what is wrong with it. */
export type ParseResult<T> = { readonly value: T } | { readonly problem: string }

type Answer<K extends AnswerKind> = z.infer<(typeof ANSWER_SCHEMAS)[K]>

export type StructuredRequest<K extends AnswerKind, T> = {
  /** Name of the requested data for error messages, such as "boundaries" or "a summary". */
  readonly what: string
  readonly messages: readonly Message[]
  /** The kind of answer, which selects its schema. */
  readonly kind: K
  readonly priority: CallPriority
  /** Converts an answer that matches the schema. `isRepair`: the answer is the last attempt. */
  readonly parse: (answer: Answer<K>, attempt: { readonly isRepair: boolean }) => ParseResult<T>
}

const parseAnswer = <K extends AnswerKind, T>(
  text: string,
  request: StructuredRequest<K, T>,
  attempt: { readonly isRepair: boolean },
): ParseResult<T> => {
  const json = parseJsonAnswer(text)
  if (json === undefined) return { problem: "It is not valid JSON." }
  const parsed = ANSWER_SCHEMAS[request.kind].safeParse(json)
  if (!parsed.success)
    return {
      problem: `${parsed.error.issues.map((i) => `${i.path.join(".") || "the answer"}: ${i.message}`).join("; ")}.`,
    }
  return request.parse(parsed.data as Answer<K>, attempt)
}

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Requires every property, also those that an answer may lack, as strict schemas must. */
const toJsonSchema = (kind: AnswerKind): object => {
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
    if (jsonSchema.properties) jsonSchema.required = Object.keys(jsonSchema.properties)
  }
  const { $schema: _, ...schema } = z.toJSONSchema(ANSWER_SCHEMAS[kind], { override })
  return schema
}

/**
 * Returns a function that requests structured data from a language model, with a JSON schema. If the answer is invalid, it
 * sends one repair request.
 * @param limiter limits the calls of all models that share it. By default each model has its own limiter.
 * @throws InvalidModelOutputError if the second answer is invalid, too
 */
export const createStructuredChat = (
  transport: ModelTransport,
  log: Logger,
  limiter: PriorityLimiter = createPriorityLimiter(),
) => {
  const { model } = transport

  const chat = async (
    messages: readonly Message[],
    { kind, priority }: Pick<StructuredRequest<AnswerKind, unknown>, "kind" | "priority">,
    { signal, numCtx, reasoning, concurrency }: CallContext,
  ): Promise<string> => {
    const format = { kind, schema: toJsonSchema(kind) }
    const maxTokens = answerTokenBudget(numCtx, reasoning)
    const maxConcurrent = concurrency ?? Number.POSITIVE_INFINITY
    const answer = await limiter({ maxConcurrent, priority, signal }, () =>
      transport.chat({ messages, format, numCtx, maxTokens, reasoning }, signal),
    )
    return removeThinking(answer)
  }

  return async <K extends AnswerKind, T>(request: StructuredRequest<K, T>, ctx: CallContext): Promise<T> => {
    const firstAnswer = await chat(request.messages, request, ctx)
    const first = parseAnswer(firstAnswer, request, { isRepair: false })
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
    const second = parseAnswer(await chat(messages, request, ctx), request, { isRepair: true })
    if ("value" in second) return second.value
    throw new InvalidModelOutputError(model, request.what, second.problem)
  }
}

export type StructuredChat = ReturnType<typeof createStructuredChat>
