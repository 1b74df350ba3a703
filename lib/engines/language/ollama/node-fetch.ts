import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { messageOf } from "../../../domain/errors.ts"
import { readLimited } from "../../../platform/read-limited.ts"

/** The server answered with an error status. `error` is the message in its JSON body, or null for other bodies. */
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

/** No complete answer arrived, for example because the connection was refused or lost. `reason` is an error code or a message. */
export class TransportError extends Error {
  readonly reason: string
  constructor(cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : messageOf(cause)
    super(code, { cause })
    this.name = "TransportError"
    this.reason = code
  }
}

/** Returns the `error` field of a JSON body, or null. */
export const parseErrorMessage = (body: string): string | null => {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === "string" ? error : null
  } catch {
    return null
  }
}

/** The largest expected responses are batches of vectors with a few megabytes. */
export const MAX_RESPONSE_BYTES = 64 * 2 ** 20

const exchange = (url: URL, init: RequestInit, signal: AbortSignal): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const headers = init.headers as Record<string, string>
    // Uses a new connection, because the server may have just closed an idle one.
    const request = send(url, { method: init.method ?? "GET", headers, signal, agent: false }, (response) => {
      readLimited(response, MAX_RESPONSE_BYTES).then(
        (body) => resolve({ status: response.statusCode ?? 0, body }),
        reject,
      )
    })
    request.on("error", reject)
    request.end(typeof init.body === "string" ? init.body : undefined)
  })

/**
 * Returns a `fetch` for the ollama client that is aborted by `signal`. It uses node:http because the built-in fetch gives up
 * after five minutes without headers, and a large model on a small machine needs longer.
 * @throws HttpStatusError, TransportError, or the reason of the signal
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
    if (status < 200 || status > 299) throw new HttpStatusError(status, parseErrorMessage(answer.body))
    return new Response(answer.body, { status, headers: { "content-type": "application/json" } })
  }
