import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../../domain/errors.ts"

const MAX_ATTEMPTS = 4
const RETRY_DELAY_MS = 1000
/** For a longer wait, the job is deferred. */
const MAX_WAIT_MS = 60_000
/** The latest time that a Date can represent. */
const MAX_DATE_MS = 8.64e15

/** The result of one attempt, or a failure after which another attempt may succeed. */
export type Attempt<T> =
  | { readonly value: T }
  | {
      readonly failure: AppError
      /** What `Retry-After` says, in milliseconds. */
      readonly retryAfterMs: number | null
      /** Says that the server is busy until a time, for a wait that is left to the job queue. */
      readonly busyMessage: (until: string) => string
    }

const formatTime = (waitMs: number): string =>
  `${new Date(Math.min(Date.now() + waitMs, MAX_DATE_MS)).toISOString().slice(0, 19).replace("T", " ")} UTC`

/**
 * Makes up to four attempts, with pauses of 1, 2 and 4 s or as long as the server demands. A wait of more than a minute is
 * left to the job queue.
 * @throws AppError of the last attempt, what `attempt` throws, or the reason of the signal
 */
export const withRetries = async <T>(attempt: () => Promise<Attempt<T>>, signal: AbortSignal): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt()
    if ("value" in result) return result.value
    const { failure, retryAfterMs, busyMessage } = result
    if (retryAfterMs !== null && retryAfterMs > MAX_WAIT_MS)
      throw new AppError("unavailable", busyMessage(formatTime(retryAfterMs)), {
        retry: "later",
        retryInMs: retryAfterMs,
      })
    if (attempts === MAX_ATTEMPTS) throw failure
    await sleep(retryAfterMs ?? RETRY_DELAY_MS * 2 ** (attempts - 1), undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  }
}
