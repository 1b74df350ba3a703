import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { installation } from "../../domain/installation.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import { packageVersion } from "../../platform/package-root.ts"
import type { WorkerStatus } from "../../storage/stores/ports/installation.ts"
import { newJob } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { describeInstallation, describeQueues, formatQueueLine, isLibraryEmpty } from "./describe-installation.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode({ SERVICE_SPEECH_ENGINE: "pocketsphinx" })
})
afterAll(() => node.end())

const NOW = 1_000_000_000
const byStage = <T>(value: T, changes: Partial<Record<StageName, T>> = {}) =>
  ({ ...Object.fromEntries(STAGE_NAMES.map((stage) => [stage, value])), ...changes }) as Record<StageName, T>
const worker = (stages: readonly StageName[], active_at: number | null): WorkerStatus => ({
  id: `w${Math.random()}`,
  host: "h",
  pid: 1,
  version: null,
  stages,
  started_at: NOW,
  active_at,
  seen_at: NOW,
})

type Queues = Parameters<typeof describeQueues>[0]
/** Describes the queue of stage `l1`, with the given answers of broker and store. */
const describeL1 = async (p: {
  stats?: Partial<Awaited<ReturnType<Queues["broker"]["stats"]>>["l1"]>
  depth?: number
  queuedSince?: number
  workers?: WorkerStatus[]
}) => {
  const queues = await describeQueues({
    store: {
      now: async () => NOW,
      stages: { getQueuedSince: async () => (p.queuedSince === undefined ? {} : { l1: p.queuedSince }) },
      installation: { listWorkers: async () => p.workers ?? [] },
    } as unknown as Queues["store"],
    broker: {
      stats: async () => byStage({ waiting: 0 }, { l1: { waiting: 0, ...p.stats } }),
      depth: async () => byStage(0, { l1: p.depth ?? 0 }),
    },
  })
  expect(queues.map(({ stage }) => stage)).toEqual(STAGE_NAMES)
  return queues[1]!
}

describe("describeQueues", () => {
  it("reports an empty queue without ages", async () => {
    expect(await describeL1({})).toEqual({ stage: "l1", depth: 0, waiting: 0, consumers: 0 })
  })

  it("takes the age of the oldest message from the store, else from the broker if messages wait", async () => {
    const oldestAt = NOW - 9000
    expect(await describeL1({ queuedSince: NOW - 40_400, stats: { oldestAt, waiting: 1 } })).toMatchObject({
      oldest_s: 40,
    })
    expect(await describeL1({ stats: { oldestAt, waiting: 1 } })).toMatchObject({ oldest_s: 9, waiting: 1 })
    expect(await describeL1({ stats: { oldestAt } })).not.toHaveProperty("oldest_s")
    expect(await describeL1({ queuedSince: NOW + 5000 })).toMatchObject({ oldest_s: 0 })
  })

  it("counts messages in flight, but never fewer than wait", async () => {
    expect(await describeL1({ depth: 5, stats: { waiting: 3 } })).toMatchObject({ depth: 5, waiting: 3 })
    expect(await describeL1({ depth: 2, stats: { waiting: 3 } })).toMatchObject({ depth: 3, waiting: 3 })
  })

  it("counts the consumers that the broker knows, else the workers of the stage", async () => {
    const workers = [worker(["l1", "l2"], null), worker(["l1"], NOW - 3000), worker(["l1"], NOW - 8000)]
    expect(await describeL1({ workers })).toMatchObject({ consumers: 3, active_s: 3 })
    expect(await describeL1({ workers, stats: { consumers: 0 } })).toMatchObject({ consumers: 0 })
    const others = await describeL1({ workers: [worker(["l2"], NOW)] })
    expect(others.consumers).toBe(0)
    expect(others).not.toHaveProperty("active_s")
    expect(await describeL1({ workers: [worker(["l1"], null)] })).not.toHaveProperty("active_s")
  })
})

describe("formatQueueLine", () => {
  it.each([
    [{ consumers: 2, oldest_s: 40, active_s: 1 }, "l1 3 (oldest 40 s, 2 consumers, active 1 s ago)"],
    [{ consumers: 1 }, "l1 3 (1 consumer)"],
    [{ consumers: 0, active_s: 0 }, "l1 3 (0 consumers, active 0 s ago)"],
  ])("formats %j", (report, line) => {
    expect(formatQueueLine({ stage: "l1", depth: 3, waiting: 3, ...report })).toBe(line)
  })
})

describe("describeInstallation", () => {
  it("reports versions, choices, queues, live workers and tables", async () => {
    const started_at = Date.now() - 5000
    const live = { id: "w", host: "h", pid: 1, version: "1.2.3", stages: ["l1", "l2"] as const, started_at }
    await node.store.installation.recordHeartbeat({ ...live, active_at: null })
    await node.store.installation.recordHeartbeat({ ...live, id: "active", active_at: started_at + 1000 })
    await node.store.retention.measureTables()
    const found = installation.parse(await describeInstallation(node))
    expect(found.version).toBe(packageVersion())
    expect(found.choices).toMatchObject({
      provider: { value: "builtin", reason: "set by SERVICE_PROVIDER" },
      embedder: { value: "builtin" },
      speech: { value: "pocketsphinx" },
    })
    expect(Math.abs(Date.parse(found.choices.provider!.chosen_at) - Date.now())).toBeLessThan(600_000)
    expect(found.queues.map(({ stage }) => stage)).toEqual(STAGE_NAMES)
    const iso = new Date(started_at).toISOString()
    expect(found.workers).toContainEqual({
      id: "w",
      host: "h",
      version: "1.2.3",
      stages: ["l1", "l2"],
      started_at: iso,
      active_at: null,
    })
    expect(found.workers.find(({ id }) => id === "active")?.active_at).toBe(new Date(started_at + 1000).toISOString())
    expect(found.tables.some(({ table, bytes }) => table === "jobs" && bytes > 0)).toBe(true)
  })

  it("leaves out what cannot be chosen, and queues without a broker", async () => {
    const getChoice = () => Promise.reject(new Error("no engine"))
    const found = await describeInstallation({ ...node, broker: null, engines: { ...node.engines, getChoice } })
    expect(found).toMatchObject({ choices: { provider: null, embedder: null, speech: null }, queues: [] })
  })
})

describe("isLibraryEmpty", () => {
  it("is true without clips and jobs, and without a database", async () => {
    expect(await isLibraryEmpty({ store: null })).toBe(true)
    expect(await isLibraryEmpty(node)).toBe(true)
    await node.addClip("a")
    expect(await isLibraryEmpty(node)).toBe(false)
    await node.store.clips.delete("a")
    expect(await isLibraryEmpty(node)).toBe(true)
    await node.store.jobs.submit(newJob())
    expect(await isLibraryEmpty(node)).toBe(false)
  })
})
