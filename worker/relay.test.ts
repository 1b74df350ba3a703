import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import type { StageName } from "../lib/domain/jobs/stages.ts"
import { createLogger } from "../lib/platform/logger.ts"
import { packageRoot } from "../lib/platform/package-root.ts"
import { PublishError } from "../lib/queue/publish-error.ts"
import { openSqliteBroker } from "../lib/queue/sqlite/index.ts"
import type { OutgoingMessage } from "../lib/queue/types.ts"
import { openDatabase } from "../lib/storage/database/open.ts"
import { openSqliteStore } from "../lib/storage/stores/sqlite/index.ts"
import { newJob } from "../lib/storage/stores/testing/fixtures.ts"
import { startRelay } from "./relay.ts"

/** Opens an outbox of `count` messages and a broker in a temporary database, which relays can share. */
const setUp = async (count: number) => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-relay-"))
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  const broker = openSqliteBroker(handle)
  const relays = new Set<ReturnType<typeof startRelay>>()
  onTestFinished(async () => {
    await Promise.all([...relays].map((relay) => relay.stop()))
    await broker.close({ drainMs: 0 })
    await store.close()
    rmSync(dir, { recursive: true })
  })
  const jobIds: string[] = []
  const submit = async (): Promise<void> => {
    const job = newJob()
    jobIds.push(job.jobId)
    await store.jobs.submit(job)
  }
  await Promise.all(Array.from({ length: count }, submit))

  /** Inserts messages of a stage that are due before those of all jobs. */
  const insertDue = (stage: StageName, n: number): void => {
    const job = jobIds[0]
    const insert = handle.raw.prepare(
      "insert into outbox (id, job_id, stage, body, available_at) values (?, ?, ?, ?, 0)",
    )
    for (let i = 0; i < n; i++) insert.run(`${stage} ${i}`, job, stage, JSON.stringify({ job_id: job }))
  }
  /** Replaces what the broker does with the messages of a stage. */
  const behaviors = new Map<StageName, (messages: readonly OutgoingMessage[]) => Promise<void>>()
  /** Owners whose connection to the broker is cut. */
  const cut = new Set<string>()
  /** The job IDs of each batch that the broker has confirmed. */
  const batches: string[][] = []
  const unpublishedBefore: number[] = []
  const pendingCount = async () => (await store.outbox.listDue(1_000)).length
  return {
    jobIds,
    submit,
    insertDue,
    behaviors,
    pendingOf: async (stage: StageName) => (await store.outbox.listDue(1_000)).filter((m) => m.stage === stage).length,
    cut,
    outbox: store.outbox,
    batches,
    unpublishedBefore,
    pendingCount,
    queuedCount: async () => (await broker.depth()).whisper,
    leaseHolder: () => handle.raw.prepare("select owner from leases where name = 'relay'").pluck().get() ?? null,
    start: (owner: string) => {
      const relay = startRelay({
        outbox: store.outbox,
        broker: {
          publish: async (messages) => {
            if (cut.has(owner)) throw new Error("connection refused")
            const behave = behaviors.get(messages[0]!.stage)
            if (behave) return behave(messages)
            unpublishedBefore.push(await pendingCount())
            await broker.publish(messages)
            batches.push(messages.map((m) => (JSON.parse(m.body) as { job_id: string }).job_id))
          },
        },
        owner,
        leaseMs: 60,
        log: createLogger("silent", "test"),
      })
      relays.add(relay)
      return relay
    },
  }
}

describe("startRelay", () => {
  it("publishes due messages oldest first in batches of 100, and marks each batch after the broker has it", async () => {
    const t = await setUp(250)
    t.start("a")
    await expect.poll(t.pendingCount, { timeout: 5_000 }).toBe(0)
    expect(t.batches.map((batch) => batch.length)).toEqual([100, 100, 50])
    expect(t.batches.flat()).toEqual(t.jobIds)
    expect(t.unpublishedBefore).toEqual([250, 150, 50])
    expect(await t.queuedCount()).toBe(250)
  })

  it("takes a lease of half the duration of stage leases, and of at most 5 s", async () => {
    const t = await setUp(0)
    const durations = new Set<number>()
    for (const leaseMs of [60, 3_600_000]) {
      const outbox = { ...t.outbox, acquireLease: async (p: { ttlMs: number }) => durations.add(p.ttlMs).size > 0 }
      const log = createLogger("silent", "test")
      await startRelay({ outbox, broker: { publish: async () => {} }, owner: "a", leaseMs, log }).stop()
    }
    expect([...durations]).toEqual([30, 5_000])
  })

  it("keeps a message that the broker has not confirmed, and publishes it when the broker is back", async () => {
    const t = await setUp(1)
    t.cut.add("a")
    const relay = t.start("a")
    await expect.poll(t.leaseHolder).toBe("a")
    expect(await t.pendingCount()).toBe(1)
    expect(await t.queuedCount()).toBe(0)
    t.cut.clear()
    await relay.stop()
    expect(t.batches).toEqual([t.jobIds])
    expect(await t.pendingCount()).toBe(0)
  })

  it("releases its lease while it cannot reach the broker, so that another relay publishes", async () => {
    const t = await setUp(1)
    t.cut.add("a")
    t.start("a")
    await expect.poll(t.leaseHolder).toBe("a")
    t.start("b")
    await expect.poll(() => t.batches, { timeout: 5_000 }).toEqual([t.jobIds])
    await expect.poll(t.pendingCount).toBe(0)
  })

  it("publishes nothing while another relay holds the lease, and takes over when that one stops", async () => {
    const t = await setUp(0)
    const first = t.start("a")
    await expect.poll(t.leaseHolder).toBe("a")
    const second = t.start("b")
    await first.stop()
    expect(t.batches).toEqual([])
    await t.submit()
    await expect.poll(() => t.batches, { timeout: 5_000 }).toEqual([t.jobIds])
    expect(t.leaseHolder()).toBe("b")
    await second.stop()
    expect(t.leaseHolder()).toBeNull()
  })

  it.each([
    [
      "refuses",
      async (messages: readonly OutgoingMessage[]) => {
        throw new PublishError(
          messages.map((m) => m.id),
          "the queue is full",
        )
      },
    ],
    ["never answers", () => new Promise<void>(() => {})],
  ])("publishes the messages of other stages while the queue of one %s", async (_, behave) => {
    const t = await setUp(50)
    t.behaviors.set("l1", behave)
    t.insertDue("l1", 150)
    t.start("a")
    await expect.poll(() => t.pendingOf("whisper"), { timeout: 2_000 }).toBe(0)
    expect(t.batches.flat()).toEqual(t.jobIds)
    expect(await t.pendingOf("l1")).toBe(150)
    expect(t.leaseHolder()).toBe("a")
  })

  it("marks the confirmed messages of a batch and sends only the others again", async () => {
    const t = await setUp(1)
    const sent: string[][] = []
    t.insertDue("l1", 4)
    t.behaviors.set("l1", async (messages) => {
      const ids = messages.map((m) => m.id)
      sent.push(ids)
      if (sent.length === 1) throw new PublishError([ids[1]!], "the queue is full")
    })
    t.start("a")
    await expect.poll(() => t.pendingOf("l1"), { timeout: 3_000 }).toBe(0)
    expect(sent).toEqual([["l1 0", "l1 1", "l1 2", "l1 3"], ["l1 1"]])
  })
})
