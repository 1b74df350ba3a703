import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import { STAGE_NAMES } from "../../domain/jobs/stages.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { openDatabase } from "../../storage/database/open.ts"
import { openSqliteStore } from "../../storage/stores/sqlite/index.ts"
import { newJob } from "../../storage/stores/testing/fixtures.ts"
import { describeQueues } from "./describe-installation.ts"
import { openNode } from "./open-node.ts"
import { registerServiceMetrics } from "./service-metrics.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const HOUR = 3_600_000

/** Opens a service whose database clock differs by `offMs` from the clock of this host, and records its metrics. */
const openWithMetrics = async (offMs: number) => {
  const { config, remove } = tempConfig()
  const node = await openNode(config, silent)
  ends.push(remove, () => node.close())
  const path = join(config.data.dir, "off.db")
  const handle = openDatabase({ path, migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle, { now: () => Date.now() + offMs })
  ends.push(() => store.close())
  const gauges = new Map<string, Parameters<Telemetry["watch"]>[1]>()
  const telemetry: Telemetry = { ...noTelemetry, watch: (name, read) => void gauges.set(name, read) }
  registerServiceMetrics({ ...node, store, telemetry })
  /** Registers the metrics of other dependencies. Returns their names. */
  const register = (changes: Partial<typeof node>) => {
    const names: string[] = []
    const telemetry: Telemetry = { ...noTelemetry, watch: (name) => void names.push(name) }
    registerServiceMetrics({ ...node, ...changes, telemetry })
    return names
  }
  const read = async (gauge: string, of: string) =>
    (await gauges.get(gauge)!()).find(({ attributes }) => Object.values(attributes).includes(of))?.value
  return { store, broker: node.broker!, read, register, watched: () => [...gauges.keys()] }
}

describe("registerServiceMetrics", () => {
  it.each([HOUR, -HOUR])("measures ages by the clock of the database, %d ms from this host's", async (off) => {
    const { store, broker, read } = await openWithMetrics(off)
    await store.jobs.submit(newJob())
    const started_at = await store.now()
    await store.installation.recordHeartbeat({
      id: "w",
      host: "h",
      pid: 1,
      version: null,
      stages: STAGE_NAMES,
      started_at,
      active_at: started_at - 7000,
    })
    expect(Math.abs(started_at - Date.now() - off)).toBeLessThan(HOUR / 2)
    expect(await read("earmark.queue.oldest", "whisper")).toBeLessThan(60)
    const whisper = (await describeQueues({ store, broker }))[0]!
    expect(whisper.oldest_s).toBeLessThan(60)
    expect(whisper.active_s).toBeGreaterThanOrEqual(7)
    expect(whisper.active_s).toBeLessThan(67)
  })

  it("reports which parts work, even while the database is down", async () => {
    const { store, read } = await openWithMetrics(0)
    expect(await read("earmark.part.ready", "store")).toBe(1)
    expect(await read("earmark.part.ready", "telemetry")).toBeUndefined()
    expect(await read("earmark.dead_letters", "whisper")).toBe(0)
    await store.close()
    ends.pop()
    expect(await read("earmark.part.ready", "store")).toBe(0)
    expect(await read("earmark.part.ready", "blobs")).toBe(1)
  })

  it("counts jobs, tables, workers, messages and dead letters", async () => {
    const { store, broker, read, watched } = await openWithMetrics(0)
    expect(await read("earmark.table.size", "jobs")).toBeUndefined()
    await store.retention.measureTables()
    expect(await read("earmark.table.size", "jobs")).toBeGreaterThan(0)
    await store.jobs.submit(newJob())
    expect([await read("earmark.jobs", "queued"), await read("earmark.jobs", "done")]).toEqual([1, 0])
    const worker = { host: "h", pid: 1, version: null, started_at: Date.now(), active_at: null }
    await store.installation.recordHeartbeat({ ...worker, id: "a", stages: ["l1", "l2"] })
    await store.installation.recordHeartbeat({ ...worker, id: "b", stages: ["l1"] })
    const perStage = async (gauge: string) =>
      Promise.all((["whisper", "l1", "l2"] as const).map((stage) => read(gauge, stage)))
    expect(await perStage("earmark.workers")).toEqual([0, 2, 1])
    await broker.publish([
      { id: "a", stage: "l1", body: "{}" },
      { id: "b", stage: "l1", body: "{}" },
      { id: "c", stage: "l2", body: "{}" },
    ])
    expect(await perStage("earmark.queue.depth")).toEqual([0, 2, 1])
    const handler = async () => ({ deadLetter: "no" })
    const subscription = await broker.consume("l1", handler, { concurrency: 2 })
    await expect.poll(() => perStage("earmark.dead_letters")).toEqual([0, 2, 0])
    await subscription.stop({ drainMs: 1000 })
    expect(watched()).toEqual([
      "earmark.part.ready",
      "earmark.jobs",
      "earmark.queue.oldest",
      "earmark.table.size",
      "earmark.workers",
      "earmark.queue.depth",
      "earmark.dead_letters",
    ])
  })

  it("has no metrics of a database and a queue that are missing", async () => {
    const { register } = await openWithMetrics(0)
    expect(register({ store: null, broker: null })).toEqual(["earmark.part.ready"])
  })
})
