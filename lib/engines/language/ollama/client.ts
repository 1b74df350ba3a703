import { Ollama } from "ollama"
import { AppError } from "../../../domain/errors.ts"
import type { Usage } from "../model-call.ts"
import { HttpStatusError, nodeFetch, TransportError } from "./node-fetch.ts"

/** What the server counted for a call; an old one counts nothing. */
export const usageOf = (answer: {
  prompt_eval_count?: number | undefined
  eval_count?: number | undefined
}): Usage => ({
  input: answer.prompt_eval_count,
  output: answer.eval_count,
})

export type OllamaServer = { readonly baseUrl: string; readonly timeoutMs: number }

/** The server's address without credentials, for people to read. */
const shown = (baseUrl: string): string => {
  const url = new URL(baseUrl)
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`
}

/** The promised sentence for a model that the server does not have. */
export const modelMissing = (model: string, baseUrl: string, cause?: unknown): AppError =>
  new AppError(
    "unavailable",
    `model not available: '${model}' is not pulled on ${shown(baseUrl)}; run: ollama pull ${model}`,
    { retry: "never", cause },
  )

const whereToLook = "start it with `ollama serve`, or set SERVICE_OLLAMA_BASE_URL to where it runs"

/** What went wrong with a call, as a sentence that says what to do; what is unknown comes back as it is. */
export const explain = (error: unknown, { baseUrl }: OllamaServer, model: string): unknown => {
  const url = shown(baseUrl)
  if (error instanceof TransportError)
    return new AppError("unavailable", `Ollama at ${url} cannot be reached (${error.reason}): ${whereToLook}.`, {
      retry: "retry",
      cause: error,
    })
  if (error instanceof HttpStatusError) {
    const { status } = error
    if (status === 404 && error.error !== null) return modelMissing(model, baseUrl, error)
    if (error.error === null && status < 500)
      return new AppError("unavailable", `${url} answers HTTP ${status}, not like an Ollama server: ${whereToLook}.`, {
        retry: "never",
        cause: error,
      })
    return new AppError("unavailable", `Ollama at ${url} failed on model '${model}' (${error.message}); see its log.`, {
      retry: status >= 500 || status === 429 ? "retry" : "never",
      cause: error,
    })
  }
  // The client parses bodies itself: what is no JSON did not come from Ollama, or came broken.
  if (error instanceof SyntaxError)
    return new AppError("unavailable", `${url} answered something that is not JSON: ${whereToLook}.`, {
      retry: "retry",
      cause: error,
    })
  return error
}

/**
 * One call through the `ollama` client, under a time-out and the caller's signal. The client lives for this call only:
 * its own `abort()` would end every call it has open.
 * @throws AppError that says what to do, or the signal's reason when it was aborted.
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
  const late = new AppError(
    "unavailable",
    `Ollama at ${shown(server.baseUrl)} gave no answer within ${seconds} s: use a smaller model or set SERVICE_MODEL_TIMEOUT_S higher.`,
    { retry: "retry" },
  )
  const timer = setTimeout(() => limit.abort(late), server.timeoutMs)
  try {
    return await run(new Ollama({ host: server.baseUrl, fetch: nodeFetch(limit.signal) }))
  } catch (error) {
    throw explain(error, server, model)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", forward)
  }
}

/** The name under which Ollama lists a model: a name without a tag means `latest`. */
export const fullModelName = (name: string): string => (/:[^/]+$/.test(name) ? name : `${name}:latest`).toLowerCase()

/**
 * Whether an Ollama server answers, and what it has pulled. For the `auto` choice: never throws, at most 1.5 s.
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
