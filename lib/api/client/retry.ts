/** The wait before each repetition of a request, unless the service names one. */
const DELAYS_MS = [500, 1500]
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
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  // Without Retry-After, a conflict or a missing component lasts until somebody changes something.
  if ((status === 409 || status === 503) && seconds >= 0) return Math.min(seconds * 1000, MAX_DELAY_MS)
  return status === 502 || status === 504 ? delay : null
}

/**
 * Sends a request again after a lost connection, and after a response that asks for it. Only for requests that can be
 * repeated.
 */
export const sendWithRetries = async (
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> => {
  for (const delay of DELAYS_MS) {
    const response = await send().catch((error: unknown) => {
      if (signal?.aborted) throw error
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
