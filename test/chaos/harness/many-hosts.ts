import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { spawnWorker } from "../../fixtures/installation.ts"
import { askPostgres, startPostgres } from "../../fixtures/postgres.ts"
import { startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { endService, startService } from "../../fixtures/service.ts"
import { WORKER } from "./bundle.ts"
import { createPool } from "./deployment.ts"
import { makeHosts } from "./hosts.ts"
import type { ScenarioContext } from "./scenario.ts"

export const HOSTS = ["web", "whisper", "topics", "data"] as const
export type HostName = (typeof HOSTS)[number]

/** Shorter than any cut, so that the stages of the host go to others, and much longer than a stage takes. */
const LEASE_S = 4
const TOKEN = "chaos-on-many-hosts"
const SETTLE_MS = 120_000
const RETRY_DELAY_MS = 2_000

const KINDS = {
  whisper: STAGE_NAMES.filter((s) => s === "whisper"),
  topics: STAGE_NAMES.filter((s) => s !== "whisper"),
} as const

/**
 * Opens an installation on four hosts: the web process; a worker for recordings; two for all other stages; PostgreSQL and
 * RabbitMQ. All hosts share the folder with recordings. The clocks of the topics host are an hour ahead.
 */
export const openManyHosts = async (c: ScenarioContext) => {
  const hosts = makeHosts(HOSTS)
  const dir = mkdtempSync(join(tmpdir(), "earmark-hosts-"))
  const removeDir = () => rmSync(dir, { recursive: true, force: true })
  process.once("exit", removeDir)
  const closing: (() => unknown)[] = [() => process.off("exit", removeDir), removeDir, hosts.remove]
  let closed = false
  const close = async (): Promise<void> => {
    closed = true
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const data = hosts.at("data")
    const postgres = await startPostgres(data)
    closing.push(postgres.close)
    const rabbit = await startRabbitMq(["loopback_users = none"], data)
    closing.push(rabbit.close)
    const url = await postgres.database()
    const settings = {
      SERVICE_DATABASE_URL: url,
      SERVICE_BROKER_URL: rabbit.url,
      SERVICE_DATA_DIR: dir,
      SERVICE_INGEST_ROOTS: dir,
      SERVICE_PROVIDER: "builtin",
      SERVICE_MODELS_OFFLINE: "true",
      SERVICE_LEASE_S: String(LEASE_S),
      SERVICE_SWEEP_S: "1",
      CHAOS_WAIT_MS: "200",
      CHAOS_JUMP_MS: "3600000",
    }
    const web = hosts.at("web")
    const service = await startService({ ...settings, SERVICE_HOST: web.address, SERVICE_API_TOKEN: TOKEN }, web.within)
    closing.push(() => endService(service, "SIGKILL"))
    const poolOn = (name: keyof typeof KINDS) => {
      // Restart a worker that cannot start without its database, as systemd does.
      const pool = createPool(async (stages) => {
        for (;;)
          try {
            const program = [WORKER]
            const worker = await spawnWorker(program, stages, settings, hosts.at(name).within)
            if (name === "topics") worker.kill("SIGUSR2")
            return worker
          } catch (error) {
            if (closed) throw error
            await sleep(RETRY_DELAY_MS)
          }
      })
      closing.push(async () => {
        const stopped = pool.stop()
        for (const worker of pool.alive) worker.kill("SIGKILL")
        await stopped.catch(() => undefined)
        for (const worker of pool.alive) worker.kill("SIGKILL")
      })
      return pool
    }
    const pools = { whisper: poolOn("whisper"), topics: poolOn("topics") }
    await pools.whisper.start(1, KINDS.whisper)
    await pools.topics.start(2, KINDS.topics)

    const ask = async <T>(sql: string): Promise<T[]> => (await askPostgres(url, sql)) as T[]
    /** Queries a number, and retries while the database restarts or is cut off. */
    const number = async (sql: string): Promise<number> => {
      for (const until = Date.now() + SETTLE_MS; ; await sleep(250))
        try {
          return Number(Object.values((await ask<Record<string, unknown>>(sql))[0]!)[0])
        } catch (error) {
          if (Date.now() > until) throw error
        }
    }
    return {
      dir,
      hosts,
      postgres,
      pools,
      url: service.url,
      headers: { authorization: `Bearer ${TOKEN}` },
      number,
      ask,
      close,
      /** Checks the invariants that hold at the end. @param accepted the job IDs that callers received */
      checkInvariants: async (accepted: ReadonlySet<string>): Promise<void> => {
        const ended = "select count(*) from jobs where status not in ('done', 'error', 'cancelled')"
        for (const until = Date.now() + SETTLE_MS; (await number(ended)) > 0 && Date.now() < until; ) await sleep(250)
        const rows = await ask<{ id: string; status: string; error_detail: string | null }>(
          "select id, status, error_detail from jobs",
        )
        const states = new Map(rows.map((r) => [r.id, r.status]))
        const lost = [...accepted].filter((id) => !states.has(id)).length
        c.check("no job is lost", lost === 0, lost)
        const other = rows.filter((r) => r.status !== "done")
        c.check("all jobs are done", other.length === 0, other.map((r) => r.error_detail ?? r.status).join("; "))
        const partial = await number(`select count(*) from jobs where status = 'done' and ${STAGE_NAMES.length} <>
          (select count(*) from job_stages s where s.job_id = jobs.id and s.state = 'done')`)
        c.check("a done job is done in every stage", partial === 0, partial)
        const running = await number("select count(*) from job_stages where state in ('queued', 'running')")
        c.check("no stage is queued or running", running === 0, running)
        const waiting = await number("select count(*) from outbox where published_at is null")
        c.check("the outbox is empty", waiting === 0, waiting)
        const double = await number("select count(*) - count(distinct clip_id || ' ' || number) from topics")
        c.check("no topic is stored twice", double === 0, double)
        const { broker, close: closeNode } = await openNode(loadConfig(settings), createLogger("silent", "test"))
        const total = async () => Object.values(await broker!.depth()).reduce((a, b) => a + b, 0)
        let depth = await total()
        for (const until = Date.now() + SETTLE_MS; depth > 0 && Date.now() < until; depth = await total())
          await sleep(500)
        c.check("the queues are empty", depth === 0, depth)
        const dead = await broker!.deadLetters({ limit: 100 })
        c.check("no dead letters", dead.length === 0, dead.map((d) => d.reason).join("; "))
        await closeNode()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

export type ManyHosts = Awaited<ReturnType<typeof openManyHosts>>
