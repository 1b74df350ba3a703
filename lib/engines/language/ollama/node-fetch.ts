import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { messageOf } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"

/** The server answered with a status that is no success. `error` is what its JSON body says, null for another body. */
export class HttpStatusError extends Error {
  readonly status: number
  readonly error: string | null
  constructor(status: number, error: string | null) {
    super(`HTTP ${status}${error === null ? "" : `: ${error}`}`)
    this.name = "HttpStatusError"
    this.status = status
    this.error = error
  }
}

/** No whole answer came: nothing listens there, the name is unknown, or the connection broke. `reason` is short. */
export class TransportError extends Error {
  readonly reason: string
  constructor(cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : messageOf(cause)
    super(code, { cause })
    this.name = "TransportError"
    this.reason = code
  }
}

export const errorIn = (body: string): string | null => {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === "string" ? error : null
  } catch {
    return null
  }
}

/** A batch of vectors has some megabytes, everything else less; more than this is no answer. */
export const MAX_ANSWER = 64 * 2 ** 20

const exchange = (url: URL, init: RequestInit, signal: AbortSignal): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const headers = init.headers as Record<string, string>
    // A connection of its own: an idle one that the server has just closed would break the next call.
    const request = send(url, { method: init.method ?? "GET", headers, signal, agent: false }, (response) => {
      readLimited(response, MAX_ANSWER).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    request.on("error", reject)
    request.end(typeof init.body === "string" ? init.body : undefined)
  })

/**
 * A `fetch` for the ollama client that lives and dies with one signal. Made over node:http because the built-in fetch
 * gives up after five minutes without headers, and a large model on a small machine thinks longer than that.
 * @throws HttpStatusError, TransportError, or the signal's reason.
 */
export const nodeFetch =
  (signal: AbortSignal): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = await exchange(url, init, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new TransportError(error)
    })
    const { status } = answer
    if (status < 200 || status > 299) throw new HttpStatusError(status, errorIn(answer.body))
    return new Response(answer.body, { status, headers: { "content-type": "application/json" } })
  }
