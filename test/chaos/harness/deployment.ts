import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "better-sqlite3"
import { messageOf } from "#lib/domain/errors.ts"
import type { AudioJobInput } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { emptyBroker } from "../../fixtures/amqp-broker.ts"
import { openBench, type WorkerProcess } from "../../fixtures/speech-bench.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { WORKER } from "./bundle.ts"
import type { ScenarioContext } from "./scenario.ts"

/** Short enough that a scenario with many kills ends, long against what a stage takes. */
export const LEASE_MS = 2_000
export const SWEEP_MS = 500

const WORDS = speechWords({ subjects: 2, secondsEach: 30 })
/** Messages of killed workers, and the embedded queue's of dead consumers (ten seconds). */
const SETTLE_MS = 25_000

export type JobRow = { id: string; title: string; status: string; errorStage: string | null; ms: number | null }

const settingsOf = ({ rabbit }: ScenarioContext, env: Record<string, string>): Record<string, string> => ({
  SERVICE_PROVIDER: "builtin",
  SERVICE_LEASE_S: String(LEASE_MS / 1000),
  SERVICE_HEARTBEAT_S: "0.5",
  SERVICE_SWEEP_S: String(SWEEP_MS / 1000),
  ...(rabbit && { SERVICE_BROKER_URL: rabbit.url }),
  ...env,
})

/** Workers that are started anew whenever one ends, as a supervisor does. */
export const createPool = (start: (stages: readonly StageName[] | null) => Promise<WorkerProcess>) => {
  const alive = new Set<WorkerProcess>()
  const starting = new Set<Promise<void>>()
  let ends = 0
  let closing = false
  const keep = async (stages: readonly StageName[] | null): Promise<void> => {
    const worker = await start(stages)
    alive.add(worker)
    void worker.exited.then(() => {
      alive.delete(worker)
      ends++
      if (closing) return
      const again = keep(stages).finally(() => starting.delete(again))
      starting.add(again)
    })
  }
  return {
    alive,
    ends: () => ends,
    keep: (n: number, stages: readonly StageName[] | null = null) =>
      Promise.all(Array.from({ length: n }, () => keep(stages))),
    stop: async (): Promise<void> => {
      closing = true
      await Promise.all(starting)
    },
  }
}

const jobRows = (raw: Database): JobRow[] =>
  raw
    .prepare("select id, title, status, error_stage errorStage, finished_at - created_at ms from jobs")
    .all() as JobRow[]

/** An installation in a temporary folder, with a pool of workers that obey the titles of jobs. */
export const openSite = async (c: ScenarioContext, env: Record<string, string> = {}, at?: string) => {
  if (c.rabbit) await emptyBroker(c.rabbit.url).catch(() => undefined) // a broker that is down has its scenario
  const dir = at ?? mkdtempSync(join(tmpdir(), "earmark-chaos-"))
  const settings = settingsOf(c, env)
  const bench = await openBench(settings, dir, ["--enable-source-maps", WORKER])
  const { raw, close } = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const pool = createPool(bench.worker)
  const accepted = new Set<string>()
  const number = (sql: string): number => raw.prepare(sql).pluck().get() as number
  let named = 0

  const ended = () => number("select count(*) from jobs where status in ('done', 'error', 'cancelled')")

  return {
    ...bench,
    settings: { SERVICE_MODELS_OFFLINE: "true", ...settings, SERVICE_DATA_DIR: dir, SERVICE_INGEST_ROOTS: dir },
    raw,
    pool,
    accepted,
    number,
    /** A job with given words; `title` says what goes wrong with it. */
    give: async (title = "good", request: Partial<AudioJobInput> = {}): Promise<string> => {
      const source = `https://example.org/${named++}`
      const id = await bench.submit({ source, transcription: WORDS, title, min_subdivide_duration_s: 10, ...request })
      accepted.add(id)
      return id
    },
    jobs: () => jobRows(raw),
    attempts: (): number[] => raw.prepare("select attempt from job_stages where attempt > 0").pluck().all() as number[],
    /** Waits until every accepted job has ended. */
    untilEnded: async (ms = 110_000): Promise<void> => {
      const deadline = Date.now() + ms
      while (ended() < accepted.size) {
        if (Date.now() > deadline) {
          c.check(`all jobs end within ${ms / 1000} s`, false, `${ended()} of ${accepted.size}`)
          return
        }
        await sleep(50)
      }
    },
    /** What must hold after every scenario. */
    settle: async ({ deadLetters = 0, clean = true } = {}): Promise<void> => {
      const { broker } = bench.node
      const total = async () => Object.values(await broker!.depth()).reduce((a, b) => a + b, 0)
      const waiting = () => number("select count(*) from outbox where published_at is null")
      let depth = -1
      const deadline = Date.now() + SETTLE_MS
      for (; Date.now() < deadline; await sleep(200)) {
        depth = await total().catch(() => -1)
        if (depth === 0 && (!clean || waiting() === 0)) break
      }
      c.check("the queues are empty", depth === 0, depth)
      if (clean) c.check("the outbox is empty", waiting() === 0, waiting())
      const dead = await broker!.deadLetters({ limit: 10_000 }).catch(messageOf)
      c.check(`${deadLetters} dead letters`, dead.length === deadLetters, typeof dead === "string" ? dead : dead.length)
      c.check("integrity_check", raw.pragma("integrity_check", { simple: true }) === "ok")
      c.check("foreign_key_check", (raw.pragma("foreign_key_check") as unknown[]).length === 0)
      const rows = new Map(jobRows(raw).map((j) => [j.id, j.status]))
      const lost = [...accepted].filter((id) => !rows.has(id)).length
      c.check("no job is lost", lost === 0, lost)
      const open = [...accepted].filter((id) => !["done", "error", "cancelled"].includes(rows.get(id) ?? "lost")).length
      c.check("every accepted job is in one end state", open === 0, open)
      const half = number(
        `select count(*) from jobs where status = 'done' and ${STAGE_NAMES.length} <>
         (select count(*) from job_stages s where s.job_id = jobs.id and s.state = 'done')`,
      )
      c.check("what is done is done in every stage", half === 0, half)
      const running = number("select count(*) from job_stages where state in ('queued', 'running')")
      c.check("nothing runs on", running === 0, running)
      const double = number("select count(*) - count(distinct clip_id || ' ' || number) from topics")
      c.check("no topic stands twice", double === 0, double)
    },
    close: async (): Promise<void> => {
      const stopped = pool.stop()
      for (const worker of bench.workers) worker.kill("SIGKILL")
      await stopped
      close()
      await bench.close()
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** Opens a site, runs `work` and closes it, whatever happens. */
export const withSite = async <T>(
  c: ScenarioContext,
  env: Record<string, string>,
  work: (site: Site) => Promise<T>,
): Promise<T> => {
  const site = await openSite(c, env)
  try {
    return await work(site)
  } finally {
    await site.close()
  }
}
