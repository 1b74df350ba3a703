import type { StageName } from "../lib/domain/jobs/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Broker } from "../lib/queue/types.ts"

const STUCK_AFTER_MS = 60_000

/**
 * Creates a check that reports a worker as stuck if it takes no message for a minute while messages of its stages are waiting.
 * An unreachable queue does not count.
 * @returns a function that resolves to false if the worker is stuck
 */
export const createLivenessCheck = (p: {
  readonly broker: Pick<Broker, "stats">
  readonly runner: Pick<StageRunner, "inFlightCount" | "activeAt">
  readonly stages: readonly StageName[]
  readonly now?: () => number
}): (() => Promise<boolean>) => {
  const now = p.now ?? Date.now
  let waitingSince: number | null = null

  const hasWaitingMessages = async (): Promise<boolean> => {
    try {
      const stats = await p.broker.stats()
      return p.stages.some((stage) => stats[stage].waiting > 0)
    } catch {
      return false
    }
  }

  return async () => {
    if (p.runner.inFlightCount() > 0 || !(await hasWaitingMessages())) waitingSince = null
    else waitingSince ??= now()
    if (waitingSince === null) return true
    return now() - Math.max(waitingSince, p.runner.activeAt() ?? 0) < STUCK_AFTER_MS
  }
}
