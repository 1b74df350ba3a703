import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "better-sqlite3"
import { messageOf } from "#lib/domain/errors.ts"
import type { AudioJobInput } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import { emptyBroker } from "../../fixtures/amqp-broker.ts"
import { type Installation, openInstallation, type WorkerProcess } from "../../fixtures/installation.ts"
import type { RabbitMq } from "../../fixtures/rabbitmq.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { WORKER } from "./bundle.ts"
import { createRecovery } from "./recovery.ts"
import type { ScenarioContext } from "./scenario.ts"
import { keepCommits, openPostgresTables, openSqliteTables, type Tables } from "./tables.ts"

/** Short enough for a scenario with many kills, and much longer than a stage takes. */
export const LEASE_MS = 2_000
export const SWEEP_MS = 500

const WORDS = speechWords({ subjects: 2, secondsEach: 30 })
/** Includes the redelivery of messages of killed workers, after ten seconds in an embedded queue. */
const SETTLE_MS = 60_000

/** What a deployment needs of the context: its servers, and where to record checks. */
type DeploymentContext = Pick<ScenarioContext, "postgres" | "check" | "size"> & {
  readonly rabbit: Pick<RabbitMq, "url"> | null
}

export type JobRow = { id: string; title: string; status: string; errorStage: string | null; ms: number | null }

const settingsOf = (
  { rabbit }: DeploymentContext,
  url: string | undefined,
  env: Record<string, string>,
): Record<string, string> => ({
  SERVICE_PROVIDER: "builtin",
  SERVICE_LEASE_S: String(LEASE_MS / 1000),
  SERVICE_HEARTBEAT_S: "0.5",
  SERVICE_SWEEP_S: String(SWEEP_MS / 1000),
  ...(url !== undefined && { SERVICE_DATABASE_URL: url }),
  ...(rabbit && { SERVICE_BROKER_URL: rabbit.url }),
  ...env,
})

/** Keeps workers running: starts another one when one exits, as a supervisor does. */
export const createPool = (start: (stages: readonly StageName[] | null) => Promise<WorkerProcess>) => {
  const alive = new Set<WorkerProcess>()
  const starting = new Set<Promise<void>>()
  let ends = 0
  let closing = false
  const keepRunning = async (stages: readonly StageName[] | null): Promise<void> => {
    const worker = await start(stages)
    alive.add(worker)
    void worker.exited.then(() => {
      alive.delete(worker)
      ends++
      if (closing) return
      const again = keepRunning(stages).finally(() => starting.delete(again))
      starting.add(again)
    })
  }
  return {
    alive,
    ends: () => ends,
    start: (n: number, stages: readonly StageName[] | null = null) =>
      Promise.all(Array.from({ length: n }, () => keepRunning(stages))),
    stop: async (): Promise<void> => {
      closing = true
      await Promise.all(starting)
    },
  }
}

const readJobs = ({ query }: Tables): Promise<JobRow[]> =>
  query('select id, title, status, error_stage as "errorStage", finished_at - created_at as ms from jobs')

/** Opens an installation in a temporary folder, with a pool of workers that inject the faults named by job titles. */
export const openDeployment = async (c: DeploymentContext, env: Record<string, string> = {}, at?: string) => {
  if (c.rabbit) await emptyBroker(c.rabbit.url.split(",")[0]!).catch(() => undefined) // one scenario starts with a stopped broker
  const dir = at ?? mkdtempSync(join(tmpdir(), "earmark-chaos-"))
  const url = await c.postgres?.database()
  if (url !== undefined) await keepCommits(url)
  const settings = settingsOf(c, url, env)
  const installation = await openInstallation(settings, dir, [WORKER])
  const tables = url === undefined ? openSqliteTables(join(dir, "earmark.db")) : openPostgresTables(url)
  const { query, number, sqlite } = tables
  const recovery = createRecovery(installation.workers)
  const startWorker: Installation["worker"] = async (...args) => {
    const worker = await installation.worker(...args)
    recovery.watch(worker)
    return worker
  }
  const pool = createPool(startWorker)
  const accepted = new Set<string>()
  let submitted = 0

  const countEnded = () => number("select count(*) from jobs where status in ('done', 'error', 'cancelled')")

  return {
    ...installation,
    settings: {
      SERVICE_MODELS_OFFLINE: "true",
      ...settings,
      SERVICE_DATA_DIR: dir,
      SERVICE_INGEST_ROOTS: dir,
    } as Record<string, string>,
    /** The connection to SQLite. Only for scenarios that do not run on PostgreSQL. */
    get sqlite(): Database {
      if (sqlite === null) throw new Error("This scenario needs SQLite.")
      return sqlite
    },
    worker: startWorker,
    recovery,
    pool,
    accepted,
    query,
    number,
    /** Submits a job with given words. `title` names the fault to inject. */
    submitJob: async (title = "good", request: Partial<AudioJobInput> = {}): Promise<string> => {
      const source = `https://example.org/${submitted++}`
      const id = await installation.submit({
        source,
        transcription: WORDS,
        title,
        min_subdivide_duration_s: 10,
        ...request,
      })
      accepted.add(id)
      return id
    },
    jobs: () => readJobs(tables),
    countJobs: (status: string): Promise<number> => number(`select count(*) from jobs where status = '${status}'`),
    /** Returns the number of attempts of each stage that was started. */
    attempts: async (): Promise<number[]> => {
      const rows = await query<{ attempt: number }>("select attempt from job_stages where attempt > 0")
      return rows.map(({ attempt }) => attempt)
    },
    /** Waits until every accepted job has ended. */
    waitUntilEnded: async (ms = c.size(400_000, 110_000)): Promise<void> => {
      const deadline = Date.now() + ms
      for (;;) {
        const ended = await countEnded()
        if (ended >= accepted.size) return
        if (Date.now() > deadline) {
          c.check(`all jobs end within ${ms / 1000} s`, false, `${ended} of ${accepted.size}`)
          return
        }
        await sleep(50)
      }
    },
    /** Checks the invariants that hold after every scenario. */
    checkInvariants: async ({ deadLetters = 0, clean = true } = {}): Promise<void> => {
      const { broker } = installation.node
      const total = async () => Object.values(await broker!.depth()).reduce((a, b) => a + b, 0)
      const countUnpublished = () => number("select count(*) from outbox where published_at is null")
      let depth = -1
      const deadline = Date.now() + SETTLE_MS
      for (; Date.now() < deadline; await sleep(200)) {
        depth = await total().catch(() => -1)
        if (depth === 0 && (!clean || (await countUnpublished()) === 0)) break
      }
      c.check("the queues are empty", depth === 0, depth)
      const expectZero = async (what: string, sql: string): Promise<void> => {
        const found = await number(sql)
        c.check(what, found === 0, found)
      }
      if (clean) await expectZero("the outbox is empty", "select count(*) from outbox where published_at is null")
      const dead = await broker!.deadLetters({ limit: 10_000 }).catch(messageOf)
      c.check(`${deadLetters} dead letters`, dead.length === deadLetters, typeof dead === "string" ? dead : dead.length)
      if (sqlite !== null) {
        c.check("integrity_check", sqlite.pragma("integrity_check", { simple: true }) === "ok")
        c.check("foreign_key_check", (sqlite.pragma("foreign_key_check") as unknown[]).length === 0)
      }
      const rows = new Map((await readJobs(tables)).map((j) => [j.id, j.status]))
      const lost = [...accepted].filter((id) => !rows.has(id)).length
      c.check("no job is lost", lost === 0, lost)
      const open = [...accepted].filter((id) => !["done", "error", "cancelled"].includes(rows.get(id) ?? "lost")).length
      c.check("every accepted job is in one end state", open === 0, open)
      await expectZero(
        "a done job is done in every stage",
        `select count(*) from jobs where status = 'done' and ${STAGE_NAMES.length} <>
         (select count(*) from job_stages s where s.job_id = jobs.id and s.state = 'done')`,
      )
      await expectZero(
        "no stage is queued or running",
        "select count(*) from job_stages where state in ('queued', 'running')",
      )
      await expectZero(
        "no topic is stored twice",
        "select count(*) - count(distinct clip_id || ' ' || number) from topics",
      )
    },
    close: async (): Promise<void> => {
      const stopped = pool.stop()
      for (const worker of installation.workers) worker.kill("SIGKILL")
      await stopped
      await tables.close()
      await installation.close()
    },
  }
}

export type Deployment = Awaited<ReturnType<typeof openDeployment>>

/** Opens a deployment, runs `work` with it, and closes it even after an error. */
export const withDeployment = async <T>(
  c: DeploymentContext,
  env: Record<string, string>,
  work: (deployment: Deployment) => Promise<T>,
): Promise<T> => {
  const deployment = await openDeployment(c, env)
  try {
    return await work(deployment)
  } finally {
    await deployment.close()
  }
}
