import { setTimeout as sleep } from "node:timers/promises"
import { AppError } from "../domain/errors.ts"

const AGAIN_MS = 500

/**
 * Writes again and again while the store does not answer, for `ms` and what the last try takes: a database that restarts
 * does not cost the work of an hour. The write is fenced, so one that was made although its answer was lost, or that
 * comes after the lease, changes nothing.
 */
export const retryUntil = async <T>(write: () => Promise<T>, ms: number): Promise<T> => {
  for (const until = Date.now() + ms; ; await sleep(AGAIN_MS)) {
    try {
      return await write()
    } catch (error) {
      if (!AppError.is(error) || error.code !== "unavailable" || Date.now() >= until) throw error
    }
  }
}
