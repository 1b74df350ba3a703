import type { IncomingMessage } from "node:http"
import { AppError } from "../../../domain/errors.ts"
import { parseRetryAfterMs } from "../../../domain/retry-after.ts"
import { readLimited } from "../../../platform/read-limited.ts"
import { MAX_RESPONSE_BYTES, sendRequest, TransportError } from "../../http/send-request.ts"
import { type Attempt, withRetries } from "../../http/with-retries.ts"
import { createNotOpenAiError, type FailedResponse, toResponseError } from "./response-error.ts"
import { hostOf, type OpenAiServer } from "./server.ts"

export type OpenAiRequest = {
  /** Appended to the base of the server. */
  readonly path: string
  /** The body of a POST request. A request without one is a GET request. */
  readonly body?: object
  /** The model, for error messages. */
  readonly model: string
}

/** Sends a request with the API key. */
export const openResponse = (
  { base, apiKey }: OpenAiServer,
  { path, body }: Pick<OpenAiRequest, "path" | "body">,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  sendRequest(
    new URL(`${base}${path}`),
    {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json, text/event-stream",
        ...(body && { "content-type": "application/json" }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: body && JSON.stringify(body),
    },
    signal,
  )

/** Creates the error for a server that cannot be reached, or whose connection was lost. */
export const createUnreachableError = (server: OpenAiServer, cause: unknown): AppError =>
  new AppError(
    "unavailable",
    `The model server at ${server.base} cannot be reached (${new TransportError(cause).reason}): start it, or set ${server.settings.url} to its address.`,
    { retry: "retry", cause },
  )

export const createTimeoutError = (server: OpenAiServer): AppError =>
  new AppError(
    "unavailable",
    `The model server ${hostOf(server)} gave no answer within ${server.timeoutMs / 1000} s: use a smaller model or increase SERVICE_MODEL_TIMEOUT_S.`,
    { retry: "retry" },
  )

/** Parses a body as a JSON object. @throws AppError for other bodies, and for an error that was sent with status 200 */
export const parseBody = (server: OpenAiServer, model: string, response: FailedResponse): Record<string, unknown> => {
  const { body, headers } = response
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (cause) {
    // Half an object is a lost connection, and anything else another kind of server.
    if (!body.trimStart().startsWith("{")) {
      const type = headers["content-type"]?.split(";")[0] || "text without a type"
      throw createNotOpenAiError(server, `responded with ${type} instead of JSON`, cause)
    }
    throw new AppError("unavailable", `The model server ${hostOf(server)} sent an incomplete response. Try again.`, {
      retry: "retry",
      cause,
    })
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw createNotOpenAiError(server, "responded with JSON of another form")
  const object = json as Record<string, unknown>
  if (object.error) throw toResponseError(server, model, { ...response, status: readStatus(object.error) })
  return object
}

/** Some servers send errors with status 200, with or without the status that they mean. */
const readStatus = (error: unknown): number => {
  const code = (error as { code?: unknown }).code
  if (typeof code === "number" && code >= 400 && code < 600) return code
  return typeof error === "string" && /endpoint/i.test(error) ? 404 : 500
}

/** Converts an error response into an attempt that failed, or throws it if another attempt would not help. */
export const toFailedAttempt = (server: OpenAiServer, model: string, response: FailedResponse): Attempt<never> => {
  const failure = toResponseError(server, model, response)
  if (failure.retry !== "retry") throw failure
  return {
    failure,
    retryAfterMs: parseRetryAfterMs(response.headers["retry-after"]),
    busyMessage: (until) => `The model server ${hostOf(server)} is busy until ${until} (HTTP ${response.status}).`,
  }
}

export const readResponse = async (response: IncomingMessage): Promise<FailedResponse> => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  body: await readLimited(response, MAX_RESPONSE_BYTES),
})

/**
 * Sends a request and returns the JSON object of the response. Repeats it on status 429 and 5xx, after `Retry-After` if the
 * server sends it, unless `retry` is false.
 * @throws AppError that says what to do, or the reason of the signal
 */
export const requestJson = (
  server: OpenAiServer,
  request: OpenAiRequest,
  signal: AbortSignal = new AbortController().signal,
  { retry = true } = {},
): Promise<Record<string, unknown>> => {
  const attempt = async (): Promise<Attempt<Record<string, unknown>>> => {
    signal.throwIfAborted()
    const timeout = AbortSignal.timeout(Math.ceil(server.timeoutMs))
    let response: FailedResponse
    try {
      response = await readResponse(await openResponse(server, request, AbortSignal.any([signal, timeout])))
    } catch (error) {
      signal.throwIfAborted()
      throw timeout.aborted ? createTimeoutError(server) : createUnreachableError(server, error)
    }
    if (response.status >= 200 && response.status < 300) return { value: parseBody(server, request.model, response) }
    const failed = toFailedAttempt(server, request.model, response)
    if (!retry && "failure" in failed) throw failed.failure
    return failed
  }
  return withRetries(attempt, signal)
}
