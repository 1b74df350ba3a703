import { messageOf } from "../lib/errors.ts"
import type { Logger } from "../lib/logger.ts"

export type Repeating = {
  /** Runs once more at once, without a timer, and then never again. Resolves when that run is over. */
  finish(): Promise<void>
  /** Ends the timer; resolves when no run is under way. */
  stop(): Promise<void>
}

/** Runs `work` now and `everyMs` after the end of each run. What it throws is logged and does not end the repeating. */
export const repeat = (name: string, everyMs: number, log: Logger, work: () => Promise<void>): Repeating => {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  const once = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn({ detail: messageOf(error) }, `${name} failed; it goes on`)
    }
  }
  const loop = async (): Promise<void> => {
    await once()
    if (!ended)
      timer = setTimeout(() => {
        running = loop()
      }, everyMs)
  }
  let running = loop()
  const stop = async (): Promise<void> => {
    ended = true
    clearTimeout(timer)
    await running
  }
  return {
    stop,
    finish: async () => {
      await stop()
      await once()
    },
  }
}
