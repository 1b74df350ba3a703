import { AppError } from "../../domain/errors.ts"
import type { Attributes, Telemetry } from "../../platform/telemetry/types.ts"

/** A call of a model, in the words of OpenTelemetry's semantic conventions for generative AI. */
export type ModelCall = {
  readonly operation: "chat" | "embeddings"
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  /** Tokens that the answer may have. */
  readonly maxTokens?: number
}

/** What the server counted. */
export type Usage = { readonly input?: number | undefined; readonly output?: number | undefined }

const errorType = (error: unknown): string =>
  AppError.is(error) ? error.code : error instanceof Error ? error.name : "unknown"

/**
 * Begins a call as a span of its own, under the work that asks. No text of prompts or answers goes into it.
 * @returns ends it once, with what was counted, or with what went wrong
 */
export const beginModelCall = (telemetry: Telemetry, call: ModelCall): ((usage: Usage, error?: unknown) => void) => {
  if (!telemetry.on) return () => {}
  const startedAt = performance.now()
  const server = new URL(call.baseUrl)
  const common: Attributes = {
    "gen_ai.operation.name": call.operation,
    "gen_ai.provider.name": call.provider,
    "gen_ai.request.model": call.model,
    "server.address": server.hostname,
    "server.port": Number(server.port || (server.protocol === "https:" ? 443 : 80)),
  }
  const span = telemetry.begin(`${call.operation} ${call.model}`, {
    kind: "client",
    attributes: { ...common, ...(call.maxTokens === undefined ? {} : { "gen_ai.request.max_tokens": call.maxTokens }) },
  })
  return ({ input, output }, error) => {
    const seconds = (performance.now() - startedAt) / 1000
    for (const [type, tokens] of [["input", input] as const, ["output", output] as const]) {
      if (tokens === undefined) continue
      span.set({ [`gen_ai.usage.${type}_tokens`]: tokens })
      telemetry.record("gen_ai.client.token.usage", tokens, { ...common, "gen_ai.token.type": type })
    }
    const failed = error === undefined ? {} : { "error.type": errorType(error) }
    telemetry.record("gen_ai.client.operation.duration", seconds, { ...common, ...failed })
    span.end(error)
  }
}

/** The same around a call whose answer comes in one piece. */
export const callModel = async <T>(
  telemetry: Telemetry,
  call: ModelCall,
  work: () => Promise<T>,
  usageOf: (answer: T) => Usage,
): Promise<T> => {
  const end = beginModelCall(telemetry, call)
  try {
    const answer = await work()
    end(usageOf(answer))
    return answer
  } catch (error) {
    end({}, error ?? new Error("no reason"))
    throw error
  }
}
