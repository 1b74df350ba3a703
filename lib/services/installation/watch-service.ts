import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Reading } from "../../platform/telemetry/types.ts"
import type { Deps } from "../deps.ts"
import { WORKER_STALE_AFTER_MS } from "./describe-queues.ts"
import { getReadiness } from "./readiness.ts"

/** Looking at dead letters reads them. */
const MOST_LETTERS = 100

const byStage = (value: (stage: StageName) => number): Reading[] =>
  STAGE_NAMES.map((stage) => ({ value: value(stage), attributes: { "earmark.stage": stage } }))

/** Has the state of the whole service exported with the metrics: for one process of it alone, or it would be counted twice. */
export const watchService = (deps: Deps): void => {
  const { store, broker, telemetry } = deps
  // Comes whatever is down, the database too: where it is missing, the process itself says nothing.
  telemetry.watch("earmark.part.ready", async () => {
    const { checks } = await getReadiness(deps)
    return Object.entries(checks).flatMap(([part, { state }]) =>
      state === "absent" ? [] : [{ value: state === "down" ? 0 : 1, attributes: { "earmark.part": part } }],
    )
  })
  if (store) {
    telemetry.watch("earmark.jobs", async () =>
      Object.entries(await store.jobs.countByStatus()).map(([status, value]) => ({
        value,
        attributes: { "earmark.job.status": status },
      })),
    )
    telemetry.watch("earmark.queue.oldest", async () => {
      const [since, now] = await Promise.all([store.stages.getQueuedSince(), store.now()])
      return byStage((stage) => Math.max(0, now - (since[stage] ?? now)) / 1000)
    })
    telemetry.watch("earmark.workers", async () => {
      const workers = await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })
      return byStage((stage) => workers.filter((w) => w.stages.includes(stage)).length)
    })
  }
  if (broker) {
    telemetry.watch("earmark.queue.depth", async () => {
      const depth = await broker.depth()
      return byStage((stage) => depth[stage])
    })
    telemetry.watch("earmark.dead_letters", async () => {
      const letters = await broker.deadLetters({ limit: MOST_LETTERS })
      return byStage((stage) => letters.filter((l) => l.stage === stage).length)
    })
  }
}
