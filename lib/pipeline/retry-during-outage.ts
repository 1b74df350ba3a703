import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../domain/errors.ts"

const RETRY_INTERVAL_MS = 500

/**
 * Retries `write` while the store is unavailable, for up to `ms` plus the duration of the last attempt, so that a database
 * restart does not cost an hour of work. Safe to repeat: the fencing token makes a write a no-op if it was already applied or
 * arrives after the lease has expired.
 */
export const retryUntil = async <T>(write: () => Promise<T>, ms: number): Promise<T> => {
  for (const until = Date.now() + ms; ; await sleep(RETRY_INTERVAL_MS)) {
    try {
      return await write()
    } catch (error) {
      if (!AppError.is(error) || error.code !== "unavailable" || Date.now() >= until) throw error
    }
  }
}
