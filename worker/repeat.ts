import { messageOf } from "../lib/domain/errors.ts"
import type { Logger } from "../lib/platform/logger.ts"

export type RepeatedTask = {
  /** Starts the next run now, or as soon as the current one has ended. */
  runNow(): void
  /** Stops the timer, runs once more and resolves when that run has ended. */
  finish(): Promise<void>
  /** Stops the timer and resolves when no run is in flight. */
  stop(): Promise<void>
}

/** The longest delay after a failed run, unless `everyMs` is longer. */
const MAX_BACKOFF_MS = 5_000

/**
 * Runs `work` immediately, then `everyMs` after each run ends. After an error it continues with exponential backoff, logging the
 * error only when its message changes, and the recovery once.
 */
export const repeat = (name: string, everyMs: number, log: Logger, work: () => Promise<void>): RepeatedTask => {
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let loggedError: string | null = null
  let runAgain = false

  const once = async (): Promise<void> => {
    try {
      await work()
      if (failures > 0) log.info({ failures }, `${name} recovered`)
      failures = 0
      loggedError = null
    } catch (error) {
      failures++
      const detail = messageOf(error)
      if (detail !== loggedError) log.warn({ detail }, `${name} failed; retrying`)
      loggedError = detail
    }
  }
  const loop = async (): Promise<void> => {
    await once()
    if (hasEnded) return
    const delayMs = Math.max(everyMs, Math.min(everyMs * 2 ** failures, MAX_BACKOFF_MS))
    timer = setTimeout(runNow, runAgain ? 0 : delayMs)
    runAgain = false
  }
  let running = loop()
  const runNow = (): void => {
    runAgain = timer === undefined
    if (hasEnded || runAgain) return
    clearTimeout(timer)
    timer = undefined
    running = loop()
  }
  const stop = async (): Promise<void> => {
    hasEnded = true
    clearTimeout(timer)
    await running
  }
  return {
    runNow,
    stop,
    finish: async () => {
      await stop()
      await once()
    },
  }
}
