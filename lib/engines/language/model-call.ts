import { AppError } from "../../domain/errors.ts"
import type { Attributes, Telemetry } from "../../platform/telemetry/types.ts"

/** A model call, in the terms of OpenTelemetry's semantic conventions for generative AI. */
export type ModelCall = {
  readonly operation: "chat" | "embeddings"
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  /** Maximum number of tokens of the answer. */
  readonly maxTokens?: number
}

/** The token counts that the server reports. */
export type TokenUsage = { readonly input?: number | undefined; readonly output?: number | undefined }

const errorType = (error: unknown): string =>
  AppError.is(error) ? error.code : error instanceof Error ? error.name : "unknown"

/**
 * Starts a trace span for a model call. It never contains the text of prompts or answers.
 * @returns a function that ends the span with the token counts or an error, to be called once
 */
export const startModelCall = (
  telemetry: Telemetry,
  call: ModelCall,
): ((usage: TokenUsage, error?: unknown) => void) => {
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

/** Traces a model call that returns its answer at once. */
export const traceModelCall = async <T>(
  telemetry: Telemetry,
  call: ModelCall,
  run: () => Promise<T>,
  readUsage: (answer: T) => TokenUsage,
): Promise<T> => {
  const end = startModelCall(telemetry, call)
  try {
    const answer = await run()
    end(readUsage(answer))
    return answer
  } catch (error) {
    end({}, error ?? new Error("unknown error"))
    throw error
  }
}
