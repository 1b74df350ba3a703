import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { startModelCall, type TokenUsage } from "../model-call.ts"
import { type OllamaServer, readUsage, supportsThinking, toAppError } from "./client.ts"
import { HttpStatusError, MAX_RESPONSE_BYTES, parseErrorMessage, TransportError } from "./node-fetch.ts"
import type { Message } from "./prompts.ts"

export type ChatRequest = {
  readonly model: string
  readonly messages: readonly Message[]
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

const post = (url: URL, body: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const request = send(url, { method: "POST", headers, signal, agent: false }, (response) => {
      // The reader gets the error. Without a reader, it must not end the process.
      response.on("error", () => {})
      resolve(response)
    })
    request.on("error", reject)
    request.end(body)
  })

async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = ""
  let read = 0
  response.setEncoding("utf8")
  for await (const part of response as AsyncIterable<string>) {
    read += part.length
    if (read > MAX_RESPONSE_BYTES) throw new TransportError(new Error("the answer is too long"))
    const lines = (rest + part).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  yield rest
}

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
  chat: ChatRequest,
  signal: AbortSignal,
  telemetry: Telemetry,
): AsyncGenerator<string> {
  const think = (await supportsThinking(server, chat.model, signal)) ? { think: false } : {}
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
    const response = await post(url, JSON.stringify({ ...chat, ...think, stream: true }), either)
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
