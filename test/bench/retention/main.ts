import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { finish, LEASE_MS, newJob, publishDue } from "#lib/storage/stores/testing/fixtures.ts"
import { printResult } from "../report.ts"

const HOUR_MS = 3_600_000
/** The jobs between two clean-ups. */
const BATCH = 1_000

/** Copies the rows that a finished job leaves, `count` times, one hour after the other. */
const COPY_JOBS = (columns: (table: string) => readonly string[]): readonly string[] => {
  const copy = (table: string, changes: Readonly<Record<string, string>>) => {
    const names = columns(table).filter((name) => name !== "seq")
    const values = names.map((name) => changes[name] ?? `t.${name}`)
    return `with recursive copies (n) as (select 1 union all select n + 1 from copies where n < @count)
      insert into ${table} (${names.join()}) select ${values.join()} from ${table} t, copies
      where t.${table === "jobs" || table === "topic_runs" ? "id" : "job_id"} = @template`
  }
  const id = "@prefix || '-' || copies.n"
  const ended = `@now + copies.n * ${HOUR_MS}`
  return [
    copy("jobs", { id, created_at: ended, finished_at: ended }),
    copy("job_stages", { job_id: id }),
    copy("outbox", { id: `${id} || ':' || t.id`, job_id: id, published_at: ended, available_at: ended }),
    copy("topic_runs", { id, created_at: ended }),
  ]
}

/**
 * Adds simulated jobs, one per hour of a simulated clock, with the rows that a real job leaves, cleans up after every
 * thousand, and reports the size of the SQLite file. `--jobs` is their number, `--keep` runs without a clean-up.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: { jobs: { type: "string", default: "100000" }, keep: { type: "boolean", default: false } },
  })
  const jobs = Number(values.jobs)
  const dir = mkdtempSync(join(tmpdir(), "earmark-retention-"))
  const path = join(dir, "earmark.db")
  let now = Date.UTC(2026, 0, 1)
  const handle = openDatabase({ path, migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle, { now: () => now })
  const limits = loadConfig({}).retention.rows
  const template = newJob()
  try {
    await store.jobs.submit(template)
    for (const stage of STAGE_NAMES) {
      await publishDue(store)
      await finish(store, template.jobId, stage)
    }
    const columns = (table: string) =>
      (handle.raw.pragma(`table_info(${table})`) as { name: string }[]).map((c) => c.name)
    const statements = COPY_JOBS(columns).map((text) => handle.raw.prepare(text))
    for (let n = BATCH; n <= jobs; n += BATCH) {
      for (const statement of statements)
        statement.run({ count: BATCH, template: template.jobId, prefix: String(n), now })
      now += BATCH * HOUR_MS
      if (!values.keep) {
        await store.stages.sweep({ leaseMs: LEASE_MS, intervalMs: BATCH * HOUR_MS })
        while (Object.values(await store.retention.deleteBatch(limits)).some((deleted) => deleted > 0));
        // The template would be old, too.
        handle.raw.prepare("update jobs set finished_at = ? where id = ?").run(now, template.jobId)
      }
      if (n % (jobs / 10) === 0) {
        handle.raw.pragma("wal_checkpoint(TRUNCATE)")
        const rows = handle.raw.prepare("select count(*) from jobs").pluck().get()
        printResult({ bench: "retention", jobs: n, keep: values.keep, job_rows: rows, bytes: statSync(path).size })
      }
    }
  } finally {
    await store.close()
    rmSync(dir, { recursive: true })
  }
}
