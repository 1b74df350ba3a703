import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../domain/errors.ts"

const MIN_DELAY_MS = 250
const MAX_DELAY_MS = 5_000

/** Returns true if the store failed in a way that time or an operator fixes: it does not respond, or its disk is full. */
export const isOutage = (error: unknown): error is AppError =>
  AppError.is(error) && (error.code === "unavailable" || error.code === "storage_full")

/**
 * Retries `access` with growing delays while the store is unavailable or its disk is full, for up to `limitMs` plus the
 * duration of the last attempt, so that an outage does not cost an hour of work. Safe to repeat: the fencing token makes a
 * write a no-op if it was already applied or the claim is lost.
 * @param options.onOutage called with the first error before the first retry
 * @param options.signal ends the waiting with its reason
 */
export const retryDuringOutage = async <T>(
  access: () => Promise<T>,
  limitMs: number,
  { onOutage, signal }: { onOutage?: (error: AppError) => unknown; signal?: AbortSignal } = {},
): Promise<T> => {
  const until = Date.now() + limitMs
  for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await access()
    } catch (error) {
      if (!isOutage(error) || Date.now() >= until) throw error
      if (delayMs === MIN_DELAY_MS) await onOutage?.(error)
    }
    await sleep(delayMs, undefined, { signal })
  }
}
