import { Ollama } from "ollama"
import { AppError } from "../../../domain/errors.ts"
import { trimEndOf } from "../../../domain/text/trim-end.ts"
import { TransportError } from "../../http/send-request.ts"
import type { TokenUsage } from "../model-call.ts"
import { HttpStatusError, nodeFetch } from "./node-fetch.ts"

/** How long a model stays loaded after a call: until the next call of a job, but not long enough to block a GPU. */
export const KEEP_ALIVE = "5m"

/** Reads the token counts of an answer. Old servers do not send them. */
export const readUsage = (answer: {
  prompt_eval_count?: number | undefined
  eval_count?: number | undefined
}): TokenUsage => ({
  input: answer.prompt_eval_count,
  output: answer.eval_count,
})

export type OllamaServer = { readonly baseUrl: string; readonly timeoutMs: number }

/** Formats the address of the server for messages, without credentials. */
export const formatUrl = (baseUrl: string): string => {
  const url = new URL(baseUrl)
  return `${url.protocol}//${url.host}${trimEndOf(url.pathname, /\//)}`
}

/** Creates the error for a model that the server has not pulled. */
export const createModelMissingError = (model: string, baseUrl: string, cause?: unknown): AppError =>
  new AppError(
    "unavailable",
    `model not available: '${model}' is not pulled on ${formatUrl(baseUrl)}; run: ollama pull ${model}`,
    { retry: "never", cause },
  )

const startAdvice = "start it with `ollama serve`, or set SERVICE_OLLAMA_BASE_URL to its address"

/** Converts an error of a call into an AppError that says what to do. Returns unknown errors unchanged. */
export const toAppError = (error: unknown, { baseUrl }: OllamaServer, model: string): unknown => {
  const url = formatUrl(baseUrl)
  if (error instanceof TransportError)
    return new AppError("unavailable", `Ollama at ${url} cannot be reached (${error.reason}): ${startAdvice}.`, {
      retry: "retry",
      cause: error,
    })
  if (error instanceof HttpStatusError) {
    const { status } = error
    if (status === 404 && error.error !== null) return createModelMissingError(model, baseUrl, error)
    if (error.error === null && status < 500)
      return new AppError("unavailable", `The server at ${url} is not Ollama (HTTP ${status}): ${startAdvice}.`, {
        retry: "never",
        cause: error,
      })
    return new AppError(
      "unavailable",
      `Ollama at ${url} failed to run the model '${model}' (${error.message}). Check the log of the Ollama server.`,
      {
        retry: status >= 500 || status === 429 ? "retry" : "never",
        cause: error,
      },
    )
  }
  // The client could not parse the body, which is incomplete or not from Ollama.
  if (error instanceof SyntaxError)
    return new AppError("unavailable", `The server at ${url} sent a response that is not JSON: ${startAdvice}.`, {
      retry: "retry",
      cause: error,
    })
  return error
}

/**
 * Makes one call with the `ollama` client, with a timeout and the caller's signal. Uses a new client per call, because the
 * client's `abort()` would end all of its calls.
 * @throws AppError that says what to do, or the reason of the signal if it is aborted
 */
export const callOllama = async <T>(
  server: OllamaServer,
  model: string,
  signal: AbortSignal | undefined,
  run: (client: Ollama) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted()
  const limit = new AbortController()
  const forward = () => limit.abort(signal?.reason)
  signal?.addEventListener("abort", forward, { once: true })
  const seconds = server.timeoutMs / 1000
  const timeoutError = new AppError(
    "unavailable",
    `Ollama at ${formatUrl(server.baseUrl)} gave no answer within ${seconds} s: use a smaller model or increase SERVICE_MODEL_TIMEOUT_S.`,
    { retry: "retry" },
  )
  const timer = setTimeout(() => limit.abort(timeoutError), server.timeoutMs)
  try {
    return await run(new Ollama({ host: server.baseUrl, fetch: nodeFetch(limit.signal) }))
  } catch (error) {
    throw toAppError(error, server, model)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", forward)
  }
}

/** Returns the name by which Ollama lists a model, in lower case. The default tag is `latest`. */
export const fullModelName = (name: string): string => (/:[^/:]+$/.test(name) ? name : `${name}:latest`).toLowerCase()

/**
 * Checks if an Ollama server is reachable, and lists its models. Takes at most 1.5 s and never throws.
 */
export const probeOllama = async (
  baseUrl: string,
  signal?: AbortSignal,
): Promise<{ reachable: boolean; models: string[] }> => {
  try {
    const { models } = await callOllama({ baseUrl, timeoutMs: 1500 }, "", signal, (client) => client.list())
    return { reachable: true, models: models.map(({ name }) => name) }
  } catch {
    return { reachable: false, models: [] }
  }
}

/** Returns true if a model supports the `think` option. */
export const supportsThinking = async (
  server: OllamaServer,
  model: string,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const { capabilities } = await callOllama(server, model, signal, (client) => client.show({ model }))
  return capabilities?.includes("thinking") ?? false
}
