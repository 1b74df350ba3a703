import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Reading } from "../../platform/telemetry/types.ts"
import type { Deps } from "../deps.ts"
import { WORKER_STALE_AFTER_MS } from "./describe-installation.ts"
import { getReadiness } from "./readiness.ts"

/** Dead letters are counted by reading them. */
const MAX_DEAD_LETTERS = 100

/**
 * Registers metrics on the state of the whole service. Only one process may export them, because they would be counted
 * twice otherwise.
 */
export const registerServiceMetrics = (deps: Deps): void => {
  const { store, broker, telemetry } = deps
  // Reported even while the database is down. If it is missing altogether, the process itself is down.
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
      return readByStage((stage) => Math.max(0, now - (since[stage] ?? now)) / 1000)
    })
    telemetry.watch("earmark.table.size", async () =>
      (await store.retention.listTableSizes()).map(({ table, bytes }) => ({
        value: bytes,
        attributes: { "earmark.table": table },
      })),
    )
    telemetry.watch("earmark.workers", async () => {
      const workers = await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })
      return readByStage((stage) => workers.filter((worker) => worker.stages.includes(stage)).length)
    })
  }
  if (broker) {
    telemetry.watch("earmark.queue.depth", async () => {
      const depth = await broker.depth()
      return readByStage((stage) => depth[stage])
    })
    telemetry.watch("earmark.dead_letters", async () => {
      const letters = await broker.deadLetters({ limit: MAX_DEAD_LETTERS })
      return readByStage((stage) => letters.filter((letter) => letter.stage === stage).length)
    })
  }
}

const readByStage = (value: (stage: StageName) => number): Reading[] =>
  STAGE_NAMES.map((stage) => ({ value: value(stage), attributes: { "earmark.stage": stage } }))
