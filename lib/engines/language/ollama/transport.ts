import type { Logger } from "../../../platform/logger.ts"
import { noTelemetry } from "../../../platform/telemetry/none.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { waitUnlessAborted } from "../../../platform/wait-unless-aborted.ts"
import type { ChatRequest, ModelTransport } from "../model/transport.ts"
import { traceModelCall } from "../model-call.ts"
import {
  callOllama,
  createModelMissingError,
  fullModelName,
  KEEP_ALIVE,
  readUsage,
  supportsThinking,
} from "./client.ts"
import { streamChat } from "./stream-chat.ts"

export type OllamaTransportOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Timeout of one call, or of the time without data of a streamed answer, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
}

/** Short, because a server that is shutting down must not delay the end of a job. */
const RELEASE_TIMEOUT_MS = 10_000

/** Creates a transport to a model on an Ollama server. Answers are generated at temperature 0. */
export const createOllamaTransport = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry = noTelemetry,
}: OllamaTransportOptions): ModelTransport => {
  const server = { baseUrl, timeoutMs }
  let thinkingSupport: Promise<boolean> | undefined

  /** Queries the server once per model, without a caller's signal because all callers share the result. */
  const queryThinkingSupport = (): Promise<boolean> => {
    thinkingSupport ??= supportsThinking(server, model, undefined).catch((error: unknown) => {
      thinkingSupport = undefined
      throw error
    })
    return thinkingSupport
  }

  const toOllamaRequest = async (
    { messages, format, numCtx, maxTokens, reasoning }: ChatRequest,
    signal: AbortSignal,
  ) => ({
    model,
    messages: [...messages],
    ...(format && { format: format.schema }),
    // Ollama rejects `think` for models that do not support it.
    ...((await waitUnlessAborted(queryThinkingSupport(), signal)) && { think: reasoning }),
    keep_alive: KEEP_ALIVE,
    options: { temperature: 0, num_ctx: numCtx, num_predict: maxTokens },
  })

  return {
    provider: "ollama",
    model,
    check: async (signal) => {
      const { models } = await callOllama(server, model, signal, (client) => client.list())
      if (!models.some(({ name }) => fullModelName(name) === fullModelName(model)))
        throw createModelMissingError(model, baseUrl)
    },
    // Ollama loads the model with the context that a call requests.
    fitContext: async (numCtx) => numCtx,
    chat: async (request, signal) => {
      // Rejects a prompt that exceeds the context. By default, Ollama would truncate it silently.
      const body = { ...(await toOllamaRequest(request, signal)), truncate: false, stream: false } as const
      const answer = await traceModelCall(
        telemetry,
        { operation: "chat", provider: "ollama", model, baseUrl, maxTokens: request.maxTokens },
        () => callOllama(server, model, signal, (client) => client.chat(body)),
        readUsage,
      )
      return answer.message?.content ?? ""
    },
    async *streamChat(request, signal) {
      yield* streamChat(server, await toOllamaRequest(request, signal), signal, telemetry)
    },
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
