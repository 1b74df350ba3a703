import type { Logger } from "../lib/platform/logger.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

/**
 * Periodically prepares search and map, so that the first request after many new recordings is fast. Runs beside the
 * sweeper, because a large library takes minutes. Stops between two clips.
 */
export const startLibraryPreparation = (p: {
  /** Does the work that is missing. */
  readonly prepare: (signal: AbortSignal) => Promise<unknown>
  readonly intervalMs: number
  readonly log: Logger
}): Pick<RepeatedTask, "stop"> => {
  const stopping = new AbortController()
  const task = repeat("library preparation", p.intervalMs, p.log, async () => {
    await p.prepare(stopping.signal)
  })
  return {
    stop: () => {
      stopping.abort()
      return task.stop()
    },
  }
}
