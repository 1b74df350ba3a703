import type { IncomingMessage } from "node:http"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { MAX_RESPONSE_BYTES, readLines, sendRequest, TransportError } from "../../http/send-request.ts"
import type { Message } from "../model/prompts.ts"
import { startModelCall, type TokenUsage } from "../model-call.ts"
import { type OllamaServer, readUsage, toAppError } from "./client.ts"
import { HttpStatusError, parseErrorMessage } from "./node-fetch.ts"

export type OllamaChatRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly think?: boolean
  readonly keep_alive: string
  readonly options: Readonly<Record<string, number>>
}

const line = z.object({
  message: z.object({ content: z.string() }).optional(),
  done: z.boolean().optional(),
  error: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
})
type Line = z.infer<typeof line>

async function* readContent(response: IncomingMessage, onLine: (line: Line) => void): AsyncGenerator<string> {
  for await (const json of readLines(response)) {
    if (json.trim() === "") continue
    const part = line.parse(JSON.parse(json))
    onLine(part)
    if (part.error !== undefined) throw new HttpStatusError(500, part.error)
    if (part.message?.content) yield part.message.content
    if (part.done) return
  }
  throw new TransportError(new Error("the answer is incomplete"))
}

/**
 * Sends a chat request and streams the text of the answer. `server.timeoutMs` limits the time without data.
 * @throws AppError that says what to do, or the reason of the signal if it is aborted
 */
export async function* streamChat(
  server: OllamaServer,
  chat: OllamaChatRequest,
  signal: AbortSignal,
  telemetry: Telemetry,
): AsyncGenerator<string> {
  const timeout = new AbortController()
  const timeoutError = new AppError(
    "unavailable",
    `Ollama sent no data for ${server.timeoutMs / 1000} s: use a smaller model or increase SERVICE_MODEL_TIMEOUT_S.`,
    { retry: "retry" },
  )
  const timer = setTimeout(() => timeout.abort(timeoutError), server.timeoutMs)
  const either = AbortSignal.any([signal, timeout.signal])
  const call = { operation: "chat", provider: "ollama", model: chat.model, baseUrl: server.baseUrl } as const
  const endCall = startModelCall(telemetry, call)
  let usage: TokenUsage = {}
  let failure: unknown
  try {
    const url = new URL(`${server.baseUrl}/api/chat`)
    const body = JSON.stringify({ ...chat, stream: true })
    const headers = { "content-type": "application/json" }
    const response = await sendRequest(url, { method: "POST", headers, body }, either)
    const status = response.statusCode ?? 0
    if (status !== 200)
      throw new HttpStatusError(status, parseErrorMessage(await readLimited(response, MAX_RESPONSE_BYTES)))
    yield* readContent(response, (part) => {
      timer.refresh()
      if (part.done) usage = readUsage(part)
    })
  } catch (error) {
    const known = error instanceof HttpStatusError || error instanceof SyntaxError || error instanceof TransportError
    failure = either.aborted ? either.reason : toAppError(known ? error : new TransportError(error), server, chat.model)
    throw failure
  } finally {
    endCall(usage, failure)
    clearTimeout(timer)
    // Closes the connection if the reader stops early, so that the server stops generating.
    timeout.abort(timeoutError)
  }
}
