import { messageOf } from "../lib/domain/errors.ts"
import type { Logger } from "../lib/platform/logger.ts"

export type Repeating = {
  /** The next run begins now, or as soon as the one under way is over. */
  now(): void
  /** Runs once more at once, without a timer, and then never again. Resolves when that run is over. */
  finish(): Promise<void>
  /** Ends the timer; resolves when no run is under way. */
  stop(): Promise<void>
}

/** The longest wait after a run that failed, unless the usual one is longer. */
const LONGEST_WAIT_MS = 5_000

/**
 * Runs `work` now and `everyMs` after the end of each run. What it throws does not end the repeating: it goes on with
 * doubling waits, and the log tells once what is wrong and once that it is over.
 */
export const repeat = (name: string, everyMs: number, log: Logger, work: () => Promise<void>): Repeating => {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let told = ""
  let again = false

  const once = async (): Promise<void> => {
    try {
      await work()
      if (failures > 0) log.info({ failures }, `${name} works again`)
      failures = 0
      told = ""
    } catch (error) {
      failures++
      const detail = messageOf(error)
      if (detail !== told) log.warn({ detail }, `${name} failed; it goes on`)
      told = detail
    }
  }
  const loop = async (): Promise<void> => {
    await once()
    if (ended) return
    const usual = Math.max(everyMs, Math.min(everyMs * 2 ** failures, LONGEST_WAIT_MS))
    timer = setTimeout(now, again ? 0 : usual)
    again = false
  }
  let running = loop()
  const now = (): void => {
    again = timer === undefined
    if (ended || again) return
    clearTimeout(timer)
    timer = undefined
    running = loop()
  }
  const stop = async (): Promise<void> => {
    ended = true
    clearTimeout(timer)
    await running
  }
  return {
    now,
    stop,
    finish: async () => {
      await stop()
      await once()
    },
  }
}
