import type { Logger } from "../../../platform/logger.ts"
import { noTelemetry } from "../../../platform/telemetry/none.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import type { Answerer } from "../types.ts"
import { answerPrompt } from "./answer-prompt.ts"
import { KEEP_ALIVE } from "./ask.ts"
import { streamChat } from "./stream-chat.ts"
import { answerRoom } from "./tokens.ts"

export type OllamaAnswererOptions = {
  readonly baseUrl: string
  readonly model: string
  /** Longest silence of the server, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Logger
  readonly telemetry?: Telemetry
}

/** The context that topic calls ask for too: with another one the server would load the model anew. */
const NUM_CTX = 8192
/** Tokens kept for rules and question. */
const FRAME = 1024

/** Answers by a language model on an Ollama server, streamed as it writes. */
export const createOllamaAnswerer = ({
  baseUrl,
  model,
  timeoutMs,
  log,
  telemetry = noTelemetry,
}: OllamaAnswererOptions): Answerer => ({
  provider: "ollama",
  model,
  async *answer(request, signal) {
    const started = performance.now()
    const messages = answerPrompt(request, NUM_CTX - answerRoom(NUM_CTX, false) - FRAME)
    const options = { temperature: 0, num_ctx: NUM_CTX, num_predict: answerRoom(NUM_CTX, false) }
    yield* streamChat({ baseUrl, timeoutMs }, { model, messages, keep_alive: KEEP_ALIVE, options }, signal, telemetry)
    log.debug({ model, passages: request.passages.length, ms: Math.round(performance.now() - started) }, "answered")
  },
})
