import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { backUp } from "#lib/storage/database/backup.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import type { Store } from "#lib/storage/stores/ports/store.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { finish, newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { askPostgres, migrationsDir } from "#test/fixtures/postgres.ts"
import { programOf } from "#test/fixtures/programs.ts"
import { openPostgresServer } from "#test/fixtures/shared-servers.ts"

const drizzle = join(packageRoot(), "drizzle")
const SUBMITTER = ["--import", "tsx", join(packageRoot(), "test/chaos/harness/submitter.ts")]
const log = createLogger("silent", "test")

/** Expects that a restored store contains a job and accepts writes. */
const expectWorks = async (store: Store, known: string): Promise<void> => {
  expect((await store.jobs.get(known))?.status).toBe("queued")
  await finish(store, known, "whisper")
  expect((await store.jobs.get(known))?.status).toBe("running")
  await store.jobs.submit(newJob({ jobId: "after" }))
}

describe("restoring a backup that was made during writes", () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-backup-"))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it("contains every job acknowledged before the SQLite backup, and none partially", async () => {
    const path = join(dir, "earmark.db")
    const handle = openDatabase({ path, migrationsDir: drizzle })
    onTestFinished(() => handle.close())
    const writer = spawn(process.execPath, [...SUBMITTER, path, "loop"], { stdio: ["ignore", "pipe", "inherit"] })
    onTestFinished(async () => {
      writer.kill("SIGKILL")
      await once(writer, "exit")
    })
    let text = ""
    writer.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    const submitted = () => text.split("\n").slice(0, -1)
    for (const [i, minimum] of [20, 60, 100].entries()) {
      await vi.waitFor(() => expect(submitted().length).toBeGreaterThan(minimum), { timeout: 30_000 })
      const before = submitted()
      const to = join(dir, `copy-${i}.db`)
      expect(await backUp(handle, to)).toBeGreaterThan(10)
      expect(statSync(to).mode & 0o777).toBe(0o600)

      const copy = openDatabase({ path: to, migrationsDir: drizzle })
      const ids = new Set(copy.raw.prepare("select id from jobs").pluck().all())
      expect(before.filter((id) => !ids.has(id))).toEqual([])
      const stages = copy.raw.prepare("select count(*) from job_stages").pluck().get()
      expect(stages).toBe(ids.size * STAGE_NAMES.length)
      expect(copy.raw.pragma("foreign_key_check")).toEqual([])
      await expectWorks(openSqliteStore(copy), before[0]!)
      copy.close()
    }
  })

  it("overwrites no file and leaves no partial SQLite backup", async () => {
    const handle = openDatabase({ path: join(dir, "other.db"), migrationsDir: drizzle })
    onTestFinished(() => handle.close())
    const existing = join(dir, "existing.db")
    writeFileSync(existing, "mine")
    await expect(backUp(handle, existing)).rejects.toMatchObject({ code: "conflict" })
    await expect(backUp(handle, join(dir, "nowhere/copy.db"))).rejects.toMatchObject({ code: "not_found" })
    expect(existsSync(`${existing}.part`)).toBe(false)
  })

  it("works with earmark store backup, which reports the file", () => {
    const data = mkdtempSync(join(dir, "data-"))
    openDatabase({ path: join(data, "earmark.db"), migrationsDir: drizzle }).close()
    const hash = createHash("sha256").update("audio").digest("hex")
    mkdirSync(join(data, "uploads", hash), { recursive: true })
    writeFileSync(join(data, "uploads", hash, "talk.wav"), "audio")
    mkdirSync(join(data, "copies"))
    const cli = [...programOf("cli"), "store", "backup", join(data, "copies/copy.db")]
    const env = { ...process.env, SERVICE_DATA_DIR: data }
    const report = JSON.parse(execFileSync(process.execPath, cli, { env, encoding: "utf8" })) as { bytes: number }
    expect(report.bytes).toBe(statSync(join(data, "copies/copy.db")).size)
    expect(readFileSync(join(data, "copies/uploads", hash, "talk.wav"), "utf8")).toBe("audio")
    writeFileSync(join(data, "uploads", hash, "talk.wav"), "changed")
    const second = spawnSync(process.execPath, [...cli.slice(0, -1), join(data, "copies/next.db")], {
      env,
      encoding: "utf8",
    })
    expect([second.status, second.stderr]).toEqual([1, expect.stringMatching(/does not match the hash in its name/)])
  })

  describe("with pg_dump and pg_restore", () => {
    let server: Awaited<ReturnType<typeof openPostgresServer>>
    beforeAll(async () => {
      server = await openPostgresServer()
    })
    afterAll(() => server.close())

    /** The commands of the guide with the database and role of this test. */
    const guide = (database: string, role: string): string =>
      /```sh\n(psql -d postgres[^`]*)```/
        .exec(readFileSync(join(packageRoot(), "docs/operations.md"), "utf8"))![1]!
        .replaceAll(/(-O |--role=)earmark/g, `$1${role}`)
        .replaceAll("earmark.dump", '"$DUMP"')
        .replaceAll("earmark", database)

    it("contains every job acknowledged before the backup, and none partially", async () => {
      const { host, hostname, port } = new URL(server.url("postgres"))
      await askPostgres(server.url("postgres"), "create role keeper login createdb")
      await askPostgres(server.url("postgres"), "create database talks owner keeper")
      // Stands for pgvector: an extension that only a superuser may create.
      await askPostgres(server.url("talks"), "create extension amcheck")
      const from = `postgres://keeper@${host}/talks`
      const store = openPostgresStore(await openPostgres({ url: from, migrationsDir, log }))
      const submitted: string[] = []
      let writing = true
      const writer = (async () => {
        while (writing) submitted.push((await store.jobs.submit(newJob())).job_id)
      })()
      await vi.waitFor(() => expect(submitted.length).toBeGreaterThan(30), { timeout: 30_000 })
      const before = [...submitted]
      const file = join(dir, "earmark.dump")
      await promisify(execFile)("pg_dump", ["-Fc", "-f", file, from])
      writing = false
      await writer
      await store.close()
      const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: "keeper", DUMP: file }
      const [rename, create, restore] = guide("talks", "keeper").trim().split("\n") as [string, string, string]
      for (const line of [rename, create]) await promisify(execFile)("sh", ["-c", line], { env })
      await askPostgres(server.url("talks"), "create extension amcheck")
      await promisify(execFile)("sh", ["-c", restore], { env })

      const [{ partial }] = (await askPostgres(
        from,
        `select count(*)::int as partial from jobs where ${STAGE_NAMES.length} <> (select count(*) from job_stages s where s.job_id = jobs.id)`,
      )) as [{ partial: number }]
      expect(partial).toBe(0)
      const ids = new Set((await askPostgres(from, "select id from jobs")).map((row) => row.id))
      expect(before.filter((id) => !ids.has(id))).toEqual([])
      const copy = openPostgresStore(await openPostgres({ url: from, migrationsDir, log }))
      onTestFinished(() => copy.close())
      await expectWorks(copy, before[0]!)
    })
  })
})
