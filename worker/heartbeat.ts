import { hostname } from "node:os"
import type { StageName } from "../lib/domain/jobs/stages.ts"
import type { StageRunner } from "../lib/pipeline/run-stage.ts"
import type { Logger } from "../lib/platform/logger.ts"
import { packageVersion } from "../lib/platform/package-root.ts"
import type { InstallationStore } from "../lib/storage/stores/ports/installation.ts"
import type { Store } from "../lib/storage/stores/ports/store.ts"
import { repeat } from "./repeat.ts"

const HEARTBEAT_INTERVAL_MS = 5_000

/** Records a heartbeat periodically until the worker stops or is stuck. Removes the worker from the list when stopped. */
export const startHeartbeat = (p: {
  readonly store: {
    readonly installation: Pick<InstallationStore, "recordHeartbeat" | "deregisterWorker">
    readonly now: Store["now"]
  }
  readonly id: string
  readonly stages: readonly StageName[]
  readonly runner: Pick<StageRunner, "activeAt">
  readonly isAlive: () => Promise<boolean>
  readonly onStuck: () => void
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { store, id, stages, runner } = p
  const self = { id, host: hostname(), pid: process.pid, version: packageVersion(), stages, started_at: Date.now() }
  const loop = repeat("heartbeat", HEARTBEAT_INTERVAL_MS, p.log, async () => {
    if (!(await p.isAlive())) return p.onStuck()
    const active = runner.activeAt()
    // Converted to the database's clock, which may differ from this host's.
    const active_at = active === null ? null : Math.round((await store.now()) - (Date.now() - active))
    await store.installation.recordHeartbeat({ ...self, active_at })
  })
  return {
    stop: async () => {
      await loop.stop()
      await store.installation.deregisterWorker(id)
    },
  }
}
