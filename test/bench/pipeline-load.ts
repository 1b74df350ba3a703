import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { openDatabase } from "#lib/db/open.ts"
import { packageRoot } from "#lib/package-root.ts"
import { openSqliteStore } from "#lib/store/sqlite/index.ts"
import { newJob } from "#lib/store/testing/fixtures.ts"

export type Load = {
  /** undefined: the embedded queue. */
  readonly brokerUrl: string | undefined
  readonly workers: number
  readonly jobs: number
  readonly waitMs: number
  readonly concurrency: number
}

const GIVE_UP_MS = 300_000

/**
 * Jobs a second through all eight stages with so many worker processes, from the first submission to the last end.
 * @throws Error when a job ended otherwise than done, or a stage was begun twice
 */
export const jobsPerSecond = async ({ brokerUrl, workers, jobs, waitMs, concurrency }: Load): Promise<number> => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([k]) => !k.startsWith("SERVICE_"))),
    SERVICE_DATA_DIR: dir,
    SERVICE_BROKER_URL: brokerUrl ?? "",
    BENCH_WAIT_MS: String(waitMs),
    BENCH_CONCURRENCY: String(concurrency),
  } as unknown as NodeJS.ProcessEnv
  const children = await Promise.all(
    Array.from({ length: workers }, async () => {
      const file = join(packageRoot(), "test/bench/pipeline-worker.ts")
      const child = fork(file, { env, execArgv: ["--import", "tsx"], stdio: ["ignore", "inherit", "inherit", "ipc"] })
      await Promise.race([
        once(child, "message"),
        once(child, "exit").then(() => Promise.reject(new Error("a worker of the bench ended at once"))),
      ])
      return child
    }),
  )
  try {
    for (let i = 0; i < jobs; i++) await store.submitJob(newJob())
    const count = handle.raw.prepare("select count(*) from jobs where finished_at is not null").pluck()
    for (const deadline = Date.now() + GIVE_UP_MS; (count.get() as number) < jobs; await sleep(100))
      if (Date.now() > deadline) throw new Error(`only ${count.get()} of ${jobs} jobs ended in time`)
    const wrong = handle.raw
      .prepare("select count(*) from job_stages where state <> 'done' or attempt <> 1")
      .pluck()
      .get()
    if (wrong !== 0) throw new Error(`${wrong} stages were not done at their first attempt`)
    const ms = handle.raw.prepare("select max(finished_at) - min(created_at) from jobs").pluck().get() as number
    return (jobs * 1000) / ms
  } finally {
    for (const child of children) child.disconnect()
    await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")))
    handle.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
