import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { newJob } from "../testing/fixtures.ts"
import { openSqliteStore } from "./index.ts"

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Races through every stage of every job, and prints each that it finished. */
const racer = (location: object, jobIds: string[], owner: string) => `
  import { openDatabase } from ${url("../../database/open.ts")}
  import { openSqliteStore } from ${url("./index.ts")}
  import { resultOf, tryClaim } from ${url("../testing/fixtures.ts")}
  import { STAGE_NAMES } from ${url("../../../domain/jobs/stages.ts")}
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
  }`

it("lets four processes race through the same jobs, each stage done by one of them", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-race-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const location = { path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }
  const handle = openDatabase(location)
  const store = openSqliteStore(handle)
  onTestFinished(() => store.close())
  const jobIds = Array.from({ length: 12 }, () => newJob().jobId)
  for (const jobId of jobIds) await store.jobs.submit(newJob({ jobId }))

  let printed = ""
  const racers = ["a", "b", "c", "d"].map((owner) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", racer(location, jobIds, owner)],
      { cwd: packageRoot(), stdio: ["ignore", "pipe", "inherit"] },
    )
    onTestFinished(() => void child.kill("SIGKILL"))
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
    })
    return once(child, "close")
  })
  expect((await Promise.all(racers)).map(([code]) => code)).toEqual([0, 0, 0, 0])
  const finished = printed.trim().split("\n")
  expect(finished.sort()).toEqual(jobIds.flatMap((id) => STAGE_NAMES.map((stage) => `${id} ${stage}`)).sort())
  for (const id of jobIds)
    expect(await store.jobs.get(id)).toMatchObject({
      status: "done",
      stage_attempts: Object.fromEntries(STAGE_NAMES.map((s) => [s, 1])),
    })
  const messages = (await store.outbox.listDue(1000)).map((m) => `${JSON.parse(m.body).job_id} ${m.stage}`)
  expect(messages.sort()).toEqual([...finished].sort())
  expect(handle.raw.pragma("integrity_check", { simple: true })).toBe("ok")
})
