import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { VizCompute } from "#lib/map/types.ts"
import { openInstallation } from "../../fixtures/installation.ts"
import { WORKER } from "../harness/bundle.ts"
import { createPool, LEASE_MS, SWEEP_MS } from "../harness/deployment.ts"
import { createFolder, type Library, type Workers } from "./library.ts"
import { findInPostgres, findInSqlite } from "./tables.ts"

const WORKERS = 2
const WORK_MS = 10
const SETTLE_MS = 120_000

const createWorkers = (
  { store, node }: Awaited<ReturnType<typeof openInstallation>>,
  pool: ReturnType<typeof createPool>,
): Workers => {
  const isIdle = async (): Promise<boolean> => {
    const { queued, running } = await store.jobs.countByStatus()
    const messages = Object.values(await node.broker!.depth()).reduce((a, b) => a + b, 0)
    return queued + running + messages === 0 && (await store.outbox.listDue(1)).length === 0
  }
  let kills = 0
  return {
    work: (messages) => sleep(messages * WORK_MS),
    kill: async () => {
      const alive = [...pool.alive]
      alive[kills++ % Math.max(1, alive.length)]?.kill("SIGKILL")
    },
    settle: async () => {
      for (const deadline = Date.now() + SETTLE_MS; !(await isIdle()); await sleep(50))
        if (Date.now() > deadline)
          throw new Error(
            `the jobs do not end: ${JSON.stringify([await store.jobs.countByStatus(), await node.broker!.depth()])}`,
          )
    },
  }
}

/** Opens an installation with worker processes, on PostgreSQL if there is a URL, else on SQLite. */
export const openProcesses = async ({ viz, url }: { readonly viz: VizCompute; readonly url: string | undefined }) => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-random-"))
  const settings = {
    SERVICE_PROVIDER: "builtin",
    SERVICE_LEASE_S: String(LEASE_MS / 1000),
    SERVICE_HEARTBEAT_S: "0.5",
    SERVICE_SWEEP_S: String(SWEEP_MS / 1000),
    ...(url !== undefined && { SERVICE_DATABASE_URL: url }),
  }
  const installation = await openInstallation(settings, dir, [WORKER])
  const { node, store, workers } = installation
  const pool = createPool(installation.worker)
  await pool.start(WORKERS)
  const library: Library = {
    deps: { ...node, store, viz },
    folder: createFolder(dir),
    workers: createWorkers(installation, pool),
    background: [],
    findInTables: async (texts) =>
      url === undefined ? findInSqlite(join(dir, "earmark.db"), texts) : findInPostgres(url, texts),
  }
  return {
    library,
    close: async (): Promise<void> => {
      const stopped = pool.stop()
      for (const worker of workers) worker.kill("SIGKILL")
      await stopped
      await installation.close()
    },
  }
}
