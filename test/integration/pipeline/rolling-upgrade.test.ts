import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { migrationsDir } from "../../fixtures/postgres.ts"
import { openPostgresServer } from "../../fixtures/shared-servers.ts"

const log = createLogger("silent", "test")
type Journal = { entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[] }

describe("hosts with two versions on one PostgreSQL database", () => {
  let server: Awaited<ReturnType<typeof openPostgresServer>>
  const next = mkdtempSync(join(tmpdir(), "earmark-next-"))
  beforeAll(async () => {
    server = await openPostgresServer()
  })
  afterAll(async () => {
    rmSync(next, { recursive: true })
    await server.close()
  })

  /** Creates the migrations of a later version, which adds a column. An incompatible version stops older ones from starting. */
  const createNextVersion = ({ isCompatible }: { isCompatible: boolean }): string => {
    cpSync(migrationsDir, next, { recursive: true, force: true })
    const file = join(next, "meta/_journal.json")
    const journal = JSON.parse(readFileSync(file, "utf8")) as Journal
    const last = journal.entries.at(-1)!
    const added = { ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_next" }
    writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, added] }))
    writeFileSync(join(next, "9999_next.sql"), "ALTER TABLE jobs ADD COLUMN priority integer;")
    if (!isCompatible) writeFileSync(join(next, "readable-from.txt"), "9999_next")
    return next
  }
  const open = async (url: string, dir: string) =>
    openPostgresStore(await openPostgres({ url, migrationsDir: dir, log }))

  it("work together and restart when the newer schema only adds columns", async () => {
    const url = await server.database()
    const old = await open(url, migrationsDir)
    const newer = await open(url, createNextVersion({ isCompatible: true }))
    const { job_id: byOld } = await old.jobs.submit(newJob())
    const restarted = await open(url, migrationsDir)
    const claimed = await restarted.stages.claim({
      jobId: byOld,
      stage: "whisper",
      owner: "o",
      host: "h",
      leaseMs: 9_000,
    })
    expect(claimed.claim).not.toBeNull()
    const { job_id: byNewer } = await newer.jobs.submit(newJob())
    expect((await restarted.jobs.get(byNewer))?.status).toBe("queued")
    for (const store of [old, newer, restarted]) await store.close()
  })

  it("the older version refuses to start when the newer schema removes a column", async () => {
    const url = await server.database()
    await (await open(url, createNextVersion({ isCompatible: false }))).close()
    await expect(open(url, migrationsDir)).rejects.toThrow(/newer version of Earmark.*Install the newer version/)
  })
})
