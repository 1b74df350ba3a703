import type { IncomingMessage } from "node:http"
import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import { MAX_RESPONSE_BYTES, readLines, sendRequest, TransportError } from "../../http/send-request.ts"
import { formatUrl, toAppError } from "./client.ts"
import { HttpStatusError, parseErrorMessage } from "./node-fetch.ts"

export type PullModelOptions = {
  readonly baseUrl: string
  readonly model: string
  readonly signal: AbortSignal
  /** Receives the fetched and the total bytes of the layers that are known so far. */
  readonly progress: (done: number, total: number) => void
  /** The time without a message after which the pull fails. Tests shorten it. */
  readonly idleMs?: number
}

/** Matches the name of a model of Ollama's registry or of another one, such as `hf.co/org/model:Q4_K_M`. */
export const OLLAMA_MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/:-]{0,199}$/

/** Ollama reports progress several times a second, but verifies large layers silently. */
const IDLE_TIMEOUT_MS = 300_000

const bytes = z.number().int().nonnegative().optional().catch(undefined)
const line = z.object({
  status: z.string().optional(),
  digest: z.string().optional(),
  total: bytes,
  completed: bytes,
  error: z.string().optional(),
})

/** Reads the progress of a pull to its end. @throws HttpStatusError with the message of the server */
const followPull = async (
  response: IncomingMessage,
  progress: PullModelOptions["progress"],
  onLine: () => void,
): Promise<void> => {
  const layers = new Map<string, { total: number; completed: number }>()
  for await (const json of readLines(response)) {
    if (json.trim() === "") continue
    const part = line.parse(JSON.parse(json))
    onLine()
    if (part.error !== undefined) throw new HttpStatusError(500, part.error)
    if (part.status === "success") return
    if (part.digest === undefined || part.total === undefined) continue
    layers.set(part.digest, { total: part.total, completed: Math.min(part.completed ?? 0, part.total) })
    const all = [...layers.values()]
    progress(
      all.reduce((sum, { completed }) => sum + completed, 0),
      all.reduce((sum, { total }) => sum + total, 0),
    )
  }
  throw new TransportError(new Error("the connection ended before the model was complete"))
}

/** Matches the messages of Ollama for a name that its registry does not have. */
const UNKNOWN_MODEL = /file does not exist|not found|invalid model name|unauthorized/i

const toPullError = (error: unknown, { baseUrl, model }: PullModelOptions): unknown => {
  if (!(error instanceof HttpStatusError) || error.error === null)
    return toAppError(error, { baseUrl, timeoutMs: 0 }, model)
  const isUnknown = UNKNOWN_MODEL.test(error.error)
  return new AppError(
    isUnknown ? "not_found" : "unavailable",
    isUnknown
      ? `Ollama at ${formatUrl(baseUrl)} finds no model '${model}' (${error.error}). See ollama.com/library for the names.`
      : `Ollama at ${formatUrl(baseUrl)} couldn't pull '${model}' (${error.error}). Pull it again to continue.`,
    { cause: error },
  )
}

/**
 * Lets an Ollama server pull a model, and follows the progress to the end. Ollama keeps what it has fetched: the next pull
 * continues there.
 * @throws AppError `not_found` for an unknown model, `unavailable` otherwise, or the reason of the signal
 */
export const pullOllamaModel = async (options: PullModelOptions): Promise<void> => {
  const { baseUrl, model, signal, progress, idleMs = IDLE_TIMEOUT_MS } = options
  const timeout = new AbortController()
  const timeoutError = new AppError(
    "unavailable",
    `Ollama at ${formatUrl(baseUrl)} sent no progress for ${idleMs / 1000} s while it pulled '${model}'. Pull it again to continue.`,
  )
  const timer = setTimeout(() => timeout.abort(timeoutError), idleMs)
  const either = AbortSignal.any([signal, timeout.signal])
  try {
    const url = new URL(`${baseUrl}/api/pull`)
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ model, stream: true })
    const response = await sendRequest(url, { method: "POST", headers, body }, either)
    const status = response.statusCode ?? 0
    if (status !== 200)
      throw new HttpStatusError(status, parseErrorMessage(await readLimited(response, MAX_RESPONSE_BYTES)))
    await followPull(response, progress, () => timer.refresh())
  } catch (error) {
    if (either.aborted) throw either.reason
    const known = error instanceof HttpStatusError || error instanceof SyntaxError || error instanceof TransportError
    throw toPullError(known ? error : new TransportError(error), options)
  } finally {
    clearTimeout(timer)
    timeout.abort(timeoutError)
  }
}
