import type { Logger } from "../../../platform/logger.ts"
import { noTelemetry } from "../../../platform/telemetry/none.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { joinPrompt } from "../model/prompts.ts"
import { answerTokenBudget, estimateTokens } from "../model/tokens.ts"
import type { ChatRequest, ModelTransport } from "../model/transport.ts"
import { startModelCall, type TokenUsage, traceModelCall } from "../model-call.ts"
import { type ChatAnswer, readAnswer } from "./answer.ts"
import { type AcceptedForms, buildChatBody, FIRST_FORMS, simplifyForms } from "./chat-body.ts"
import type { ModelRegister } from "./models.ts"
import { requestJson } from "./request.ts"
import { RejectedRequestError } from "./response-error.ts"
import type { OpenAiServer } from "./server.ts"
import { streamAnswer } from "./stream.ts"

export type OpenAiTransportOptions = {
  readonly server: OpenAiServer
  readonly models: ModelRegister
  readonly model: string
  /** Context size in tokens if it is set, which replaces what the server tells. */
  readonly context: number | undefined
  readonly log: Logger
  readonly telemetry?: Telemetry
}

/** More than the forms of all parts. Concurrent requests may undo what each other found out. */
const MAX_REQUESTS = 20

/**
 * Creates a transport to a model on a server with OpenAI's chat completions. Answers are generated at temperature 0. The
 * first requests find out which parameters the server accepts: what it rejects is left out from then on.
 */
export const createOpenAiTransport = ({
  server,
  models,
  model,
  context,
  log,
  telemetry = noTelemetry,
}: OpenAiTransportOptions): ModelTransport => {
  let forms = FIRST_FORMS
  /** The last forms that the server accepted. */
  let accepted: AcceptedForms | undefined
  /** True if the model thinks although it is told not to. Its answers then get more tokens. */
  let thinksAnyway = false

  /** Repeats a request in simpler forms until the server accepts it. @throws the error of the first rejection */
  const negotiate = async <T>(request: ChatRequest, send: (forms: AcceptedForms) => Promise<T>): Promise<T> => {
    const before = forms
    let rejection: RejectedRequestError | undefined
    for (let requests = 1; ; requests++) {
      const used = forms
      try {
        const result = await send(used)
        accepted = used
        return result
      } catch (error) {
        if (!(error instanceof RejectedRequestError)) throw error
        rejection ??= error
        // A concurrent request may have found other forms meanwhile.
        if (forms !== used && requests < MAX_REQUESTS) continue
        const hasFormat = request.format !== undefined
        const next = simplifyForms(used, error.reason, { hasFormat, areAccepted: accepted === used })
        if (next === null || requests >= MAX_REQUESTS) {
          forms = before
          throw rejection
        }
        log.info({ model, reason: error.message }, "the model server rejected a parameter; leaving it out")
        forms = next
      }
    }
  }

  const fitAnswer = (request: ChatRequest): ChatRequest => {
    if (!thinksAnyway || request.reasoning) return request
    const free = request.numCtx - estimateTokens(joinPrompt(request.messages))
    const maxTokens = Math.max(request.maxTokens, Math.min(answerTokenBudget(request.numCtx, true), free))
    return { ...request, maxTokens }
  }

  const callOf = ({ maxTokens }: ChatRequest) =>
    ({ operation: "chat", provider: "openai", model, baseUrl: server.base, maxTokens }) as const

  const complete = async (request: ChatRequest, signal: AbortSignal): Promise<ChatAnswer> => {
    const fitted = fitAnswer(request)
    return traceModelCall(
      telemetry,
      callOf(fitted),
      () =>
        negotiate(fitted, async (used) => {
          const body = buildChatBody(model, fitted, used, { stream: false })
          return readAnswer(server, await requestJson(server, { path: "/chat/completions", body, model }, signal))
        }),
      ({ usage }) => usage,
    )
  }

  return {
    provider: "openai",
    model,
    check: async (signal) => {
      await models.require(model, signal)
    },
    fitContext: async (numCtx, signal) => {
      const offered = await models.require(model, signal)
      return Math.min(numCtx, context ?? offered?.context ?? numCtx)
    },
    chat: async (request, signal) => {
      const hadMoreTokens = thinksAnyway
      const answer = await complete(request, signal)
      if (!answer.isCutInThought || hadMoreTokens) return answer.text
      if (!thinksAnyway) log.info({ model }, "the model thinks although it is told not to; allowing longer answers")
      thinksAnyway = true
      return (await complete(request, signal)).text
    },
    async *streamChat(request, signal) {
      const fitted = fitAnswer(request)
      const endCall = startModelCall(telemetry, callOf(fitted))
      let usage: TokenUsage = {}
      let failure: unknown
      try {
        // A server rejects parameters before the first text.
        const { first, rest } = await negotiate(fitted, async (used) => {
          const body = buildChatBody(model, fitted, used, { stream: true })
          const parts = streamAnswer(server, model, body, signal, (reported) => {
            usage = reported
          })
          return { first: await parts.next(), rest: parts }
        })
        try {
          if (!first.done) yield first.value
          yield* rest
        } finally {
          await rest.return(undefined)
        }
      } catch (error) {
        failure = error
        throw error
      } finally {
        endCall(usage, failure)
      }
    },
    // Other servers have no way to unload a model.
    release: async () => {},
  }
}
