import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { z } from "zod"
import { AppError } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import type { Telemetry } from "../../../platform/telemetry/types.ts"
import { beginModelCall, type Usage } from "../model-call.ts"
import { callOllama, explain, type OllamaServer, usageOf } from "./client.ts"
import { errorIn, HttpStatusError, MAX_ANSWER, TransportError } from "./node-fetch.ts"
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
      // Whoever reads meets the failure; when nobody does any more, it must not end the process.
      response.on("error", () => {})
      resolve(response)
    })
    request.on("error", reject)
    request.end(body)
  })

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = ""
  let read = 0
  response.setEncoding("utf8")
  for await (const part of response as AsyncIterable<string>) {
    read += part.length
    if (read > MAX_ANSWER) throw new TransportError(new Error("the answer does not end"))
    const lines = (rest + part).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  yield rest
}

async function* contents(response: IncomingMessage, onLine: (part: Line) => void): AsyncGenerator<string> {
  for await (const json of linesOf(response)) {
    if (json.trim() === "") continue
    const part = line.parse(JSON.parse(json))
    onLine(part)
    if (part.error !== undefined) throw new HttpStatusError(500, part.error)
    if (part.message?.content) yield part.message.content
    if (part.done) return
  }
  throw new TransportError(new Error("the answer broke off"))
}

const canThink = async (server: OllamaServer, model: string, signal: AbortSignal): Promise<boolean> => {
  const { capabilities } = await callOllama(server, model, signal, (client) => client.show({ model }))
  return capabilities?.includes("thinking") ?? false
}

/**
 * A chat whose answer comes in pieces. `server.timeoutMs` is the longest silence.
 * @throws AppError that says what to do, or the signal's reason when it was aborted
 */
export async function* streamChat(
  server: OllamaServer,
  chat: ChatRequest,
  signal: AbortSignal,
  telemetry: Telemetry,
): AsyncGenerator<string> {
  const think = (await canThink(server, chat.model, signal)) ? { think: false } : {}
  const silence = new AbortController()
  const late = new AppError(
    "unavailable",
    `Ollama was silent for ${server.timeoutMs / 1000} s: use a smaller model or set SERVICE_MODEL_TIMEOUT_S higher.`,
    { retry: "retry" },
  )
  const timer = setTimeout(() => silence.abort(late), server.timeoutMs)
  const either = AbortSignal.any([signal, silence.signal])
  const call = { operation: "chat", provider: "ollama", model: chat.model, baseUrl: server.baseUrl } as const
  const endCall = beginModelCall(telemetry, call)
  let usage: Usage = {}
  let failure: unknown
  try {
    const url = new URL(`${server.baseUrl}/api/chat`)
    const response = await post(url, JSON.stringify({ ...chat, ...think, stream: true }), either)
    const status = response.statusCode ?? 0
    if (status !== 200) throw new HttpStatusError(status, errorIn(await readLimited(response, MAX_ANSWER)))
    yield* contents(response, (part) => {
      timer.refresh()
      if (part.done) usage = usageOf(part)
    })
  } catch (error) {
    const known = error instanceof HttpStatusError || error instanceof SyntaxError || error instanceof TransportError
    failure = either.aborted ? either.reason : explain(known ? error : new TransportError(error), server, chat.model)
    throw failure
  } finally {
    endCall(usage, failure)
    clearTimeout(timer)
    // Whoever stops reading leaves; the server then stops writing.
    silence.abort(late)
  }
}
