import type { StageName } from "../lib/domain/jobs/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Broker } from "../lib/queue/types.ts"

const STUCK_AFTER_MS = 60_000

/**
 * Liveness by the activity of the queues: a worker that takes nothing for a minute, although messages of its stages
 * wait, is stuck, however healthy its process looks. A queue that cannot be asked is no fault of the worker.
 * @returns asks now: false when it is stuck
 */
export const createLivenessCheck = (p: {
  readonly broker: Pick<Broker, "stats">
  readonly runner: Pick<StageRunner, "inHand" | "activeAt">
  readonly stages: readonly StageName[]
  readonly now?: () => number
}): (() => Promise<boolean>) => {
  const now = p.now ?? Date.now
  let waitingSince: number | null = null

  const workWaits = async (): Promise<boolean> => {
    try {
      const stats = await p.broker.stats()
      return p.stages.some((stage) => stats[stage].waiting > 0)
    } catch {
      return false
    }
  }

  return async () => {
    if (p.runner.inHand() > 0 || !(await workWaits())) waitingSince = null
    else waitingSince ??= now()
    if (waitingSince === null) return true
    return now() - Math.max(waitingSince, p.runner.activeAt() ?? 0) < STUCK_AFTER_MS
  }
}
