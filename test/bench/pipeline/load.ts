import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { migrationsDir } from "../../fixtures/postgres.ts"

export type Load = {
  /** Undefined for the embedded queue. */
  readonly brokerUrl: string | undefined
  /** An empty PostgreSQL database. Undefined for SQLite in a temporary folder. */
  readonly databaseUrl?: string | undefined
  readonly workers: number
  readonly jobs: number
  /** The duration of each stage. */
  readonly waitMs: number
  readonly concurrency: number
}

const TIMEOUT_MS = 300_000

/** Opens a store, and a function that runs queries which return one number. */
const openStore = async (dir: string, databaseUrl: string | undefined) => {
  if (databaseUrl !== undefined) {
    const handle = await openPostgres({ url: databaseUrl, migrationsDir, log: createLogger("error", "bench") })
    const count = async (sql: string) => Number(Object.values((await handle.pool.query(sql)).rows[0] as object)[0])
    return { store: openPostgresStore(handle), count, close: handle.close }
  }
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const count = async (sql: string) => handle.raw.prepare(sql).pluck().get() as number
  return { store: openSqliteStore(handle), count, close: async () => handle.close() }
}

/**
 * Runs jobs through all eight stages and returns the jobs per second, from the first submission to the end of the last job.
 * @throws Error if a job is not done at the end, or a stage was started twice
 */
export const measureJobsPerSecond = async (load: Load): Promise<number> => {
  const { brokerUrl, databaseUrl, workers, jobs, waitMs, concurrency } = load
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const { store, count, close } = await openStore(dir, databaseUrl)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([k]) => !k.startsWith("SERVICE_"))),
    SERVICE_DATA_DIR: dir,
    SERVICE_BROKER_URL: brokerUrl ?? "",
    SERVICE_DATABASE_URL: databaseUrl ?? "",
    BENCH_WAIT_MS: String(waitMs),
    BENCH_CONCURRENCY: String(concurrency),
  } as unknown as NodeJS.ProcessEnv
  const children = await Promise.all(
    Array.from({ length: workers }, async () => {
      const file = join(packageRoot(), "test/bench/pipeline/worker.ts")
      const child = fork(file, { env, execArgv: ["--import", "tsx"], stdio: ["ignore", "inherit", "inherit", "ipc"] })
      await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() =>
          Promise.reject(new Error("A worker exited before it was ready. Its error is above.")),
        ),
      ])
      return child
    }),
  )
  try {
    for (let i = 0; i < jobs; i++) await store.jobs.submit(newJob())
    const countEnded = () => count("select count(*) from jobs where finished_at is not null")
    for (const deadline = Date.now() + TIMEOUT_MS; (await countEnded()) < jobs; await sleep(100))
      if (Date.now() > deadline)
        throw new Error(`Only ${await countEnded()} of ${jobs} jobs ended within ${TIMEOUT_MS / 1000} s.`)
    const repeated = await count("select count(*) from job_stages where state <> 'done' or attempt <> 1")
    if (repeated !== 0) throw new Error(`${repeated} stages were not done after one attempt.`)
    const ms = await count("select max(finished_at) - min(created_at) from jobs")
    return (jobs * 1000) / ms
  } finally {
    for (const child of children) child.disconnect()
    await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")))
    await close()
    rmSync(dir, { recursive: true, force: true })
  }
}
