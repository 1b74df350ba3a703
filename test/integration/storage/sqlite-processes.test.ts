import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openSqliteBroker } from "#lib/queue/sqlite/index.ts"
import { openDatabase } from "#lib/storage/database/open.ts"
import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"

const newLocation = async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-processes-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }
}

/** Runs a module of TypeScript source in a Node process, killed when the test ends. It is bundled to start faster. */
const runModule = async (source: string) => {
  const outfile = join(packageRoot(), `node_modules/.cache/earmark-tests/${randomUUID()}.mjs`)
  await build({
    stdin: { contents: source, resolveDir: packageRoot(), loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
  })
  const child = spawn(process.execPath, [outfile], { cwd: packageRoot(), stdio: ["pipe", "pipe", "inherit"] })
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await rm(outfile)
  })
  return child
}
const exitCodes = async (children: readonly ChildProcess[]) =>
  (await Promise.all(children.map((child) => once(child, "close")))).map(([code]) => code)

describe("several processes on one SQLite database", () => {
  it("migrate it once when eight open it at the same time", async () => {
    const location = await newLocation()
    const children = await Promise.all(
      Array.from({ length: 8 }, () =>
        runModule(`
        import { openDatabase } from "#lib/storage/database/open.ts"
        process.stdout.write("ready")
        process.stdin.once("data", () => {
          openDatabase(${JSON.stringify(location)}).close()
          process.exit(0)
        })`),
      ),
    )
    const ended = exitCodes(children)
    await Promise.all(children.map((child) => once(child.stdout, "data")))
    expect(existsSync(location.path)).toBe(false)
    for (const child of children) child.stdin.write("go")
    expect(await ended).toEqual(Array(8).fill(0))
    const handle = openDatabase(location)
    const hashes = handle.raw.prepare("select hash from __drizzle_migrations").pluck().all()
    expect(hashes.length).toBeGreaterThan(0)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(handle.raw.pragma("integrity_check", { simple: true })).toBe("ok")
    handle.close()
  })

  it("complete each stage once when four race for the stages of the same jobs", async () => {
    const location = await newLocation()
    const handle = openDatabase(location)
    const store = openSqliteStore(handle)
    const jobIds = Array.from({ length: 12 }, () => newJob().jobId)
    for (const jobId of jobIds) await store.jobs.submit(newJob({ jobId }))
    /** Claims and completes stages until every job is done, and prints each stage that it completed. */
    const race = (owner: string) => `
      import { openDatabase } from "#lib/storage/database/open.ts"
      import { openSqliteStore } from "#lib/storage/stores/sqlite/index.ts"
      import { resultOf, tryClaim } from "#lib/storage/stores/testing/fixtures.ts"
      import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
      const store = openSqliteStore(openDatabase(${JSON.stringify(location)}))
      let open = ${JSON.stringify(jobIds)}
      while (open.length > 0) {
        for (const id of open)
          for (const stage of STAGE_NAMES) {
            const { claim } = await tryClaim(store, id, stage, ${JSON.stringify(owner)})
            if (claim && (await store.stages.complete(claim, resultOf(stage)))) console.log(id + " " + stage)
          }
        const records = await Promise.all(open.map((id) => store.jobs.get(id)))
        open = open.filter((_, i) => records[i].status !== "done")
      }
      process.exit(0)`
    let printed = ""
    const children = await Promise.all(["a", "b", "c", "d"].map((owner) => runModule(race(owner))))
    for (const child of children)
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text
      })
    expect(await exitCodes(children)).toEqual([0, 0, 0, 0])
    const completed = printed.trim().split("\n")
    expect(completed.sort()).toEqual(jobIds.flatMap((id) => STAGE_NAMES.map((stage) => `${id} ${stage}`)).sort())
    for (const id of jobIds)
      expect(await store.jobs.get(id)).toMatchObject({
        status: "done",
        stage_attempts: Object.fromEntries(STAGE_NAMES.map((s) => [s, 1])),
      })
    const messages = (await store.outbox.listDue(1000)).map((m) => `${JSON.parse(m.body).job_id} ${m.stage}`)
    expect(messages.sort()).toEqual([...completed].sort())
    expect(handle.raw.pragma("integrity_check", { simple: true })).toBe("ok")
    await store.close()
  })

  it("redeliver the message of a killed consumer once its visibility timeout is over", async () => {
    const visibilityMs = 1_500
    const location = await newLocation()
    const handle = openDatabase(location)
    const broker = openSqliteBroker(handle, { visibilityMs, pollMs: 20 })
    await broker.publish([{ stage: "l1", id: "m", body: "{}" }])
    const consumer = await runModule(`
      import { openDatabase } from "#lib/storage/database/open.ts"
      import { openSqliteBroker } from "#lib/queue/sqlite/index.ts"
      const broker = openSqliteBroker(openDatabase(${JSON.stringify(location)}), { visibilityMs: ${visibilityMs} })
      await broker.consume("l1", () => { process.stdout.write("held"); return new Promise(() => {}) }, { concurrency: 1 })`)
    await once(consumer.stdout, "data")
    consumer.kill("SIGKILL")
    await once(consumer, "exit")
    const killedAt = Date.now()
    const redelivered: boolean[] = []
    const handler = async (delivery: { readonly redelivered: boolean }) => {
      redelivered.push(delivery.redelivered)
      return "ack" as const
    }
    await broker.consume("l1", handler, { concurrency: 1 })
    await vi.waitFor(() => expect(redelivered).toEqual([true]), { timeout: 5000 })
    expect(Date.now() - killedAt).toBeLessThan(visibilityMs + 1000)
    await broker.close({ drainMs: 1000 })
    handle.close()
  })
})
