import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { LOCAL_HOST } from "../../fixtures/host.ts"
import { type Postgres, startPostgres } from "../../fixtures/postgres.ts"
import { endService, startService } from "../../fixtures/service.ts"
import { type Disk, openDisk } from "../harness/power.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { submitOver } from "../harness/submissions.ts"
import { openPostgresTables, openSqliteTables, type Tables } from "../harness/tables.ts"

/** For how long jobs are submitted, and how long after the last one the power is cut. */
type Round = { readonly busyS: number; readonly idleS: number }

/** Linux writes pages that nobody syncs after up to 35 s. */
const ROUNDS: readonly Round[] = [
  { busyS: 4, idleS: 0 },
  { busyS: 12, idleS: 0 },
  { busyS: 40, idleS: 0 },
  { busyS: 2, idleS: 20 },
]
const SHORT_ROUNDS: readonly Round[] = [{ busyS: 2, idleS: 0 }]
const DISK_MB = 512
const SUBMIT_INTERVAL_MS = 20
const DURABILITIES = ["process", "power"] as const
type Durability = (typeof DURABILITIES)[number]

type Losses = { accepted: number; lost: number; oldestMs: number; uploads: number; lostUploads: number }

/** Uploads a recording that no other upload equals. Returns the hash of its content if it was accepted. */
const upload = async (url: string, n: number): Promise<string | null> => {
  const content = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), Buffer.alloc(200_000, `${n} `)])
  const body = new FormData()
  body.append("file", new Blob([content]), `${n}.wav`)
  const response = await fetch(`${url}/jobs/audio`, { method: "POST", body, signal: AbortSignal.timeout(5_000) })
  await response.text()
  return response.status === 202 ? createHash("sha256").update(content).digest("hex") : null
}

/** Returns the hashes of all files below a folder. */
const hashFiles = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => createHash("sha256").update(readFileSync(path)).digest("hex")),
  )

/** Returns when a job was created, which its ID contains, in Unix milliseconds. */
const createdAt = (jobId: string): number => Number.parseInt(jobId.replaceAll("-", "").slice(0, 12), 16)

const startServer = (c: ScenarioContext, { folder }: Disk): Promise<Postgres> | null =>
  // The server's own setting is the weak one, so that it shows what Earmark's changes.
  c.setup.store === "postgres" ? startPostgres(LOCAL_HOST, { folder, settings: ["synchronous_commit=off"] }) : null

/** Submits jobs for a time, cuts the power, and counts what of the accepted jobs and uploads the disk lacks. */
const cutOnce = async (
  c: ScenarioContext,
  durability: Durability,
  { busyS, idleS }: Round,
  losses: Losses,
): Promise<void> => {
  const disk = openDisk(DISK_MB)
  let postgres: Postgres | null = null
  try {
    postgres = await startServer(c, disk)
    const databaseUrl = await postgres?.database()
    const data = join(disk.folder, "data")
    mkdirSync(data)
    const service = await startService({
      SERVICE_DATA_DIR: data,
      SERVICE_DURABILITY: durability,
      ...(databaseUrl !== undefined && { SERVICE_DATABASE_URL: databaseUrl }),
    })
    const jobs = { accepted: new Set<string>() }
    const uploads = new Set<string>()
    await submitOver(service.url, jobs)
    disk.sync()
    for (const until = Date.now() + busyS * 1000; Date.now() < until; await sleep(SUBMIT_INTERVAL_MS)) {
      await submitOver(service.url, jobs)
      // A synced upload makes the file system write other pages, too, so there is none in the second half.
      if (Date.now() > until - busyS * 500) continue
      const hash = await upload(service.url, jobs.accepted.size)
      if (hash) uploads.add(hash)
    }
    await sleep(idleS * 1000)
    disk.cutPower()
    const cutAt = Date.now()
    await endService(service, "SIGKILL")
    await postgres?.stop("SIGQUIT")
    disk.restorePower()
    await postgres?.start()

    const tables: Tables =
      databaseUrl === undefined ? openSqliteTables(join(data, "earmark.db")) : openPostgresTables(databaseUrl)
    try {
      if (tables.sqlite) c.check("integrity_check", tables.sqlite.pragma("integrity_check", { simple: true }) === "ok")
      const stored = new Set((await tables.query<{ id: string }>("select id from jobs")).map(({ id }) => id))
      const lost = [...jobs.accepted].filter((id) => !stored.has(id))
      const partial = await tables.number(
        `select count(*) from jobs where (select count(*) from job_stages s where s.job_id = jobs.id) <> ${STAGE_NAMES.length}`,
      )
      c.check("no job is stored partially", partial === 0, partial)
      const oldest = Math.min(cutAt, ...lost.map(createdAt))
      const later = [...stored].filter((id) => createdAt(id) > oldest).length
      c.check("only the last jobs are lost", lost.length === 0 || later === 0, later)
      const files = hashFiles(join(data, "uploads"))
      losses.accepted += jobs.accepted.size
      losses.lost += lost.length
      losses.oldestMs = Math.max(losses.oldestMs, cutAt - oldest)
      losses.uploads += uploads.size
      losses.lostUploads += [...uploads].filter((hash) => !files.has(hash)).length
    } finally {
      await tables.close()
    }
  } finally {
    await postgres?.close()
    disk.close()
  }
}

const describeLosses = (durability: Durability, { accepted, lost, oldestMs, uploads, lostUploads }: Losses): string =>
  `${durability}: ${lost} of ${accepted} accepted jobs lost${lost > 0 ? `, those of the last ${(oldestMs / 1000).toFixed(1)} s` : ""}, ${lostUploads} of ${uploads} uploads`

export const r43: Scenario = {
  id: "R43",
  title:
    "the power of the disk (ext4, mounted as root) is cut during submissions (after 4, 12 and 40 s) and 20 s after the last one, with each SERVICE_DURABILITY; PostgreSQL with synchronous_commit=off",
  setups: EMBEDDED,
  startsItself: ["postgres"],
  run: async (c) => {
    const seen: string[] = []
    for (const durability of DURABILITIES) {
      const losses: Losses = { accepted: 0, lost: 0, oldestMs: 0, uploads: 0, lostUploads: 0 }
      for (const round of c.isShort ? SHORT_ROUNDS : ROUNDS) await cutOnce(c, durability, round, losses)
      c.check(`${durability}: uploads are accepted`, losses.uploads > 0)
      c.check(`${durability}: no upload is lost`, losses.lostUploads === 0, losses.lostUploads)
      if (durability === "power") c.check("power: no job is lost", losses.lost === 0, losses.lost)
      seen.push(describeLosses(durability, losses))
    }
    return `${seen.join("; ")}; databases intact`
  },
}
