import { STAGE_NAMES, type StageName } from "../contracts/stages.ts"
import type { Reading } from "../telemetry/types.ts"
import type { Deps } from "./deps.ts"
import { BEAT_MS } from "./describe-queues.ts"

const byStage = (value: (stage: StageName) => number): Reading[] =>
  STAGE_NAMES.map((stage) => ({ value: value(stage), attributes: { "earmark.stage": stage } }))

/** Has the state of the whole service exported with the metrics: for one process of it alone, or it would be counted twice. */
export const watchService = ({ store, broker, telemetry }: Pick<Deps, "store" | "broker" | "telemetry">): void => {
  if (store) {
    telemetry.watch("earmark.jobs", async () =>
      Object.entries(await store.countJobs()).map(([status, value]) => ({
        value,
        attributes: { "earmark.job.status": status },
      })),
    )
    telemetry.watch("earmark.queue.oldest", async () => {
      const [since, now] = await Promise.all([store.queuedSince(), store.now()])
      return byStage((stage) => Math.max(0, now - (since[stage] ?? now)) / 1000)
    })
    telemetry.watch("earmark.workers", async () => {
      const workers = await store.workers({ aliveWithinMs: BEAT_MS })
      return byStage((stage) => workers.filter((w) => w.stages.includes(stage)).length)
    })
  }
  if (broker)
    telemetry.watch("earmark.queue.depth", async () => {
      const depth = await broker.depth()
      return byStage((stage) => depth[stage])
    })
}
