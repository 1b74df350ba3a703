import type { IncomingMessage } from "node:http"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import { MAX_RESPONSE_BYTES, readLines } from "../../http/send-request.ts"
import { type Attempt, withRetries } from "../../http/with-retries.ts"
import type { TokenUsage } from "../model-call.ts"
import { readAnswer } from "./answer.ts"
import {
  createTimeoutError,
  createUnreachableError,
  openResponse,
  parseBody,
  readResponse,
  toFailedAttempt,
} from "./request.ts"
import { createNotOpenAiError, toResponseError } from "./response-error.ts"
import { hostOf, type OpenAiServer } from "./server.ts"

const usageFields = z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() })
const event = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
  usage: usageFields.nullish(),
  error: z.unknown().optional(),
})

/** Returns the data of a line of an event stream, or null for comments, empty lines and other fields. */
const readData = (line: string): string | null => (line.startsWith("data:") ? line.slice("data:".length).trim() : null)

const createIncompleteError = (server: OpenAiServer, cause?: unknown): AppError =>
  new AppError(
    "unavailable",
    `The model server ${hostOf(server)} ended its answer before it was complete. Try again.`,
    {
      retry: "retry",
      cause,
    },
  )

async function* readEvents(
  server: OpenAiServer,
  model: string,
  response: IncomingMessage,
  onEvent: (usage: TokenUsage | undefined) => void,
): AsyncGenerator<string> {
  let isFinished = false
  for await (const line of readLines(response)) {
    const data = readData(line)
    if (data === null) {
      onEvent(undefined)
      continue
    }
    if (data === "[DONE]") return
    let parsed: z.infer<typeof event>
    try {
      parsed = event.parse(JSON.parse(data))
    } catch (cause) {
      throw createIncompleteError(server, cause)
    }
    if (parsed.error) throw toResponseError(server, model, { status: 500, headers: {}, body: JSON.stringify(parsed) })
    onEvent(parsed.usage ? { input: parsed.usage.prompt_tokens, output: parsed.usage.completion_tokens } : undefined)
    const choice = parsed.choices?.[0]
    if (choice?.delta?.content) yield choice.delta.content
    isFinished ||= typeof choice?.finish_reason === "string"
  }
  if (!isFinished) throw createIncompleteError(server)
}

/**
 * Sends a chat request and streams the text of the answer. `server.timeoutMs` limits the time without data. Repeats the
 * request on status 429 and 5xx before the first text.
 * @throws AppError that says what to do, or the reason of the signal
 */
export async function* streamAnswer(
  server: OpenAiServer,
  model: string,
  body: object,
  signal: AbortSignal,
  onUsage: (usage: TokenUsage) => void,
): AsyncGenerator<string> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(createTimeoutError(server)), server.timeoutMs)
  const either = AbortSignal.any([signal, timeout.signal])
  const open = async (): Promise<Attempt<IncomingMessage>> => {
    timer.refresh()
    const response = await openResponse(server, { path: "/chat/completions", body }, either)
    const { statusCode = 0 } = response
    if (statusCode >= 200 && statusCode < 300) return { value: response }
    return toFailedAttempt(server, model, await readResponse(response))
  }
  try {
    const response = await withRetries(open, either)
    const type = response.headers["content-type"] ?? ""
    if (type.includes("text/event-stream"))
      yield* readEvents(server, model, response, (usage) => {
        timer.refresh()
        if (usage) onUsage(usage)
      })
    // Some servers do not stream and send the whole answer.
    else if (type.includes("json")) {
      const whole = { status: 200, headers: response.headers, body: await readLimited(response, MAX_RESPONSE_BYTES) }
      const { text, usage } = readAnswer(server, parseBody(server, model, whole))
      onUsage(usage)
      yield text
    } else throw createNotOpenAiError(server, `responded with ${type.split(";")[0] || "no type"} instead of events`)
  } catch (error) {
    if (either.aborted) throw either.reason
    if (AppError.is(error)) throw error
    throw createUnreachableError(server, error)
  } finally {
    clearTimeout(timer)
    // Closes the connection if the reader stops early, so that the server stops generating.
    timeout.abort()
  }
}
