import type { IncomingHttpHeaders } from "node:http"
import { AppError } from "../../../domain/errors.ts"
import { parseServerMessage } from "../../http/server-message.ts"
import { hideKey, hostOf, type OpenAiServer } from "./server.ts"

export type FailedResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The server rejected the request as invalid, and perhaps accepts it in another form. */
export class RejectedRequestError extends AppError {
  /** The server's message with the names that it contains elsewhere, such as `param` and `code`. */
  readonly reason: string

  constructor(message: string, reason: string) {
    super("unavailable", message)
    this.reason = reason
  }
}

/** The server takes shorter texts, or fewer at once. */
export class TooLargeError extends AppError {}

/** What servers say about a text, or a number of texts, that is more than they embed. llama.cpp sends it with status 500. */
const TOO_LARGE = /too (?:large|long|many)|exceed|maximum|batch size/i
const TOO_LARGE_STATUSES = [400, 413, 422, 500]

const EXCEEDS_CONTEXT = /context (?:length|size|window)|context_length|exceed_context|maximum context|too many tokens/i
const LACKS_MODEL = /model/i

/** Creates the error for a model that the server does not have. */
export const createModelMissingError = (
  server: OpenAiServer,
  model: string,
  offered: readonly string[],
  cause?: unknown,
): AppError => {
  const listed = offered.slice(0, 5).map((name) => `'${name}'`)
  const more = offered.length > listed.length ? ` and ${offered.length - listed.length} more` : ""
  const offers = listed.length > 0 ? `, which offers ${listed.join(", ")}${more}` : ""
  return new AppError(
    "unavailable",
    `model not available: '${model}' is not on ${server.base}${offers}; set ${server.settings.model} to a model of this server, or load the model there`,
    { retry: "never", cause },
  )
}

/** Creates the error for a server whose responses are not those of the API. */
export const createNotOpenAiError = (server: OpenAiServer, what: string, cause?: unknown): AppError =>
  new AppError(
    "unavailable",
    `The server at ${server.base} ${what}, so it is not an OpenAI-compatible server. Set ${server.settings.url} to the address of one, usually with /v1 at its end.`,
    { retry: "never", cause },
  )

/** The server does not have an endpoint. `isFromApi`: it says so as OpenAI does, so it may have others. */
export class MissingEndpointError extends AppError {
  readonly isFromApi: boolean

  constructor(server: OpenAiServer, status: number, isFromApi: boolean) {
    super(
      "unavailable",
      `The server at ${server.base} does not have this endpoint (HTTP ${status}). Check ${server.settings.url}, which usually ends with /v1.`,
    )
    this.isFromApi = isFromApi
  }
}

const rejectedKey = (server: OpenAiServer, status: number): AppError => {
  const { key } = server.settings
  return new AppError(
    "unavailable",
    server.apiKey === undefined
      ? `The model server ${hostOf(server)} requires an API key (HTTP ${status}). Set ${key}.`
      : `The model server ${hostOf(server)} rejected the API key (HTTP ${status}). Check ${key}.`,
  )
}

/** Returns the field names and codes of a JSON error, which messages leave out. */
const readNames = (body: string): string => {
  try {
    const { error } = JSON.parse(body) as { error?: { param?: unknown; code?: unknown; type?: unknown } }
    return [error?.param, error?.code, error?.type].filter((name) => typeof name === "string").join(" ")
  } catch {
    return ""
  }
}

/** Converts an error response to a request for `model` into an error that says what to do. Never contains the API key. */
export const toResponseError = (
  server: OpenAiServer,
  model: string,
  { status, headers, body }: FailedResponse,
): AppError => {
  const message = parseServerMessage(body)
  const detail = message === null ? "" : `: ${hideKey(server, message)}`
  const reason = `${message ?? ""} ${readNames(body)}`
  const host = hostOf(server)
  if (status >= 300 && status < 400)
    return new AppError(
      "unavailable",
      `The model server ${host} redirects to ${headers.location ?? "another address"} (HTTP ${status}). Set ${server.settings.url} to the final address.`,
    )
  // The message is left out, because many servers repeat a part of the key in it.
  if (status === 401) return rejectedKey(server, status)
  if (status === 404 || status === 405)
    return message !== null && model !== "" && LACKS_MODEL.test(reason)
      ? createModelMissingError(server, model, [])
      : new MissingEndpointError(server, status, /"error"\s*:\s*\{/.test(body))
  if (server.use === "embedding" && TOO_LARGE_STATUSES.includes(status) && (status === 413 || TOO_LARGE.test(reason)))
    return new TooLargeError(
      "unavailable",
      `The text is too long for the embedding model '${model}' on ${host} (HTTP ${status}${detail}).`,
    )
  if (EXCEEDS_CONTEXT.test(reason))
    return new AppError(
      "unavailable",
      `The text exceeds the context of the model '${model}' on ${host}${detail}. Start the server with a larger context, or set SERVICE_OPENAI_CONTEXT to the size that it has.`,
    )
  if (status === 429 && /insufficient_quota/.test(reason))
    return new AppError("unavailable", `The model server ${host} rejected the request (HTTP 429)${detail}.`)
  if (status === 429 || status >= 500)
    return new AppError(
      "unavailable",
      `The model server ${host} failed to run the model '${model}' (HTTP ${status}${detail}). Check the log of the server.`,
      { retry: status === 501 ? "never" : "retry" },
    )
  const text = `The model server ${host} rejected the request (HTTP ${status})${detail || ", without a message"}. Check the name of the model and the log of the server.`
  return status === 400 || status === 413 || status === 422
    ? new RejectedRequestError(text, reason)
    : new AppError("unavailable", text)
}
