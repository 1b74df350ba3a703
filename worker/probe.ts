import type { Broker } from "../lib/broker/types.ts"
import type { StageName } from "../lib/contracts/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Store } from "../lib/store/types.ts"

const STUCK_AFTER_MS = 60_000

/**
 * Liveness by the activity of the queues: a worker that takes nothing for a minute, although messages of its stages
 * wait that nobody works on, is stuck, however healthy its process looks.
 * @returns asks now: false when it is stuck
 */
export const createProbe = (p: {
  readonly store: Pick<Store, "listJobs">
  readonly broker: Pick<Broker, "depth">
  readonly runner: Pick<StageRunner, "inHand" | "activeAt">
  readonly stages: readonly StageName[]
  readonly now?: () => number
}): (() => Promise<boolean>) => {
  const now = p.now ?? Date.now
  let waitingSince: number | null = null

  /** Messages of these stages beyond the stages that run somewhere. */
  const workWaits = async (): Promise<boolean> => {
    const depth = await p.broker.depth()
    if (p.stages.every((stage) => depth[stage] === 0)) return false
    const { jobs } = await p.store.listJobs({ status: "running", limit: 200 })
    return p.stages.some((stage) => depth[stage] > jobs.filter((job) => job.stages[stage] === "running").length)
  }

  return async () => {
    if (p.runner.inHand() > 0 || !(await workWaits())) waitingSince = null
    else waitingSince ??= now()
    if (waitingSince === null) return true
    return now() - Math.max(waitingSince, p.runner.activeAt() ?? 0) < STUCK_AFTER_MS
  }
}
