import { readLimited } from "../../../platform/read-limited.ts"
import { MAX_RESPONSE_BYTES, sendRequest, TransportError } from "../../http/send-request.ts"

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

/** Returns the `error` field of a JSON body, or null. */
export const parseErrorMessage = (body: string): string | null => {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === "string" ? error : null
  } catch {
    return null
  }
}

const exchange = async (
  url: URL,
  init: RequestInit,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> => {
  const body = typeof init.body === "string" ? init.body : undefined
  const headers = init.headers as Record<string, string>
  const response = await sendRequest(url, { method: init.method ?? "GET", headers, body }, signal)
  return { status: response.statusCode ?? 0, body: await readLimited(response, MAX_RESPONSE_BYTES) }
}

/**
 * Returns a `fetch` for the ollama client that is aborted by `signal`.
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
