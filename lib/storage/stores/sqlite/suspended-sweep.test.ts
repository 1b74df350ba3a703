import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { claim, newJob, SWEEP } from "../testing/fixtures.ts"
import { openSqliteStore } from "./index.ts"

const folder = mkdtempSync(join(tmpdir(), "earmark-sweep-"))
afterAll(() => rmSync(folder, { recursive: true }))

it("requeues no stage if the process is suspended between two transactions of a sweep", async () => {
  const handle = openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  let time = 0
  let transactions = 0
  const now = () => {
    transactions++
    if (transactions === 2) time += 40_000
    return time
  }
  const store = openSqliteStore(handle, { now })
  await store.stages.sweep(SWEEP)
  await store.jobs.submit(newJob({ jobId: "j" }))
  await claim(store, "j", "whisper")
  time += SWEEP.intervalMs
  transactions = 0
  expect(await store.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 0 })
  expect((await store.jobs.get("j"))?.stages.whisper).toBe("running")
  await store.close()
})
