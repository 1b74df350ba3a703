import { parseRetryAfterMs } from "../../domain/retry-after.ts"
import { EarmarkError } from "./errors.ts"

/** The wait before the first repetition of a request, unless the service names one. It grows with each repetition. */
const FIRST_DELAY_MS = 500
const DELAY_GROWTH = 3
/** A longer wait is left to the caller, who finds it in the error. */
const MAX_DELAY_MS = 30_000

/** Waits, or returns early when `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener("abort", finish)
  })

/** Returns how long to wait before repeating a request with this response, or null if repeating it would not help. */
const retryDelay = ({ status, headers }: Response, delay: number): number | null => {
  const named = parseRetryAfterMs(headers.get("retry-after") ?? undefined)
  // Without Retry-After, a conflict or a missing component lasts until somebody changes something.
  if ((status === 409 || status === 429 || status === 503) && named !== null)
    return named <= MAX_DELAY_MS ? named : null
  return status === 502 || status === 504 ? delay : null
}

/**
 * Sends a request again after a lost connection, and after a response that asks for it. Only for requests that can be
 * repeated.
 */
export const sendWithRetries = async (
  send: () => Promise<Response>,
  { maxRetries, signal }: { readonly maxRetries: number; readonly signal: AbortSignal | undefined },
): Promise<Response> => {
  for (let retries = 0; retries < maxRetries; retries++) {
    const delay = FIRST_DELAY_MS * DELAY_GROWTH ** retries
    const response = await send().catch((error: unknown) => {
      // A request that took too long would take so long again.
      if (signal?.aborted || error instanceof EarmarkError) throw error
      return null
    })
    const wait = response ? retryDelay(response, delay) : delay
    if (response && wait === null) return response
    await response?.body?.cancel()
    await pause(wait ?? delay, signal)
  }
  return send()
}

/** Returns a new idempotency key. `crypto.randomUUID` is missing in pages without HTTPS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
