import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import type { StageName } from "../lib/domain/jobs/stages.ts"
import { createLogger } from "../lib/platform/logger.ts"
import { packageRoot } from "../lib/platform/package-root.ts"
import { PublishError } from "../lib/queue/publish-error.ts"
import { openSqliteBroker } from "../lib/queue/sqlite/index.ts"
import type { OutgoingMessage } from "../lib/queue/types.ts"
import { openDatabase } from "../lib/storage/database/open.ts"
import { openSqliteStore } from "../lib/storage/stores/sqlite/index.ts"
import { newJob } from "../lib/storage/stores/testing/fixtures.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
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
  /** The owners of the leases that relays have released. */
  const releases: string[] = []
  /** Owners whose messages the broker does not answer. */
  const unanswered = new Set<string>()
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
    unanswered,
    releases,
    outbox: store.outbox,
    batches,
    unpublishedBefore,
    pendingCount,
    queuedCount: async () => (await broker.depth()).whisper,
    leaseHolder: () => handle.raw.prepare("select owner from leases where name = 'relay'").pluck().get() ?? null,
    start: (owner: string, { silenceMs = 5_000, leaseMs = 60 } = {}) => {
      const relay = startRelay({
        outbox: {
          ...store.outbox,
          releaseLease: async (lease) => {
            releases.push(lease.owner)
            await store.outbox.releaseLease(lease)
          },
        },
        broker: {
          publish: async (messages) => {
            if (cut.has(owner)) throw new Error("connection refused")
            if (unanswered.has(owner)) return new Promise<void>(() => {})
            const behave = behaviors.get(messages[0]!.stage)
            if (behave) return behave(messages)
            unpublishedBefore.push(await pendingCount())
            await broker.publish(messages)
            batches.push(messages.map((m) => (JSON.parse(m.body) as { job_id: string }).job_id))
          },
        },
        owner,
        leaseMs,
        silenceMs,
        log: createLogger("silent", "test"),
      })
      relays.add(relay)
      return relay
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

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
    // Longer than the interval of either relay, which otherwise might always find the lease of the other.
    const leaseMs = 600
    t.start("a", { leaseMs })
    await expect.poll(() => t.releases).toContain("a")
    t.start("b", { leaseMs })
    await expect.poll(() => t.batches, { timeout: 5_000 }).toEqual([t.jobIds])
    await expect.poll(t.pendingCount).toBe(0)
  })

  it("releases its lease if the broker answers nothing, so that another relay publishes", async () => {
    const t = await setUp(1)
    t.unanswered.add("a")
    // It renews its lease in time, so that another relay publishes only after it has released the lease.
    t.start("a", { silenceMs: 50, leaseMs: 1_000 })
    await expect.poll(t.leaseHolder).toBe("a")
    t.start("b", { leaseMs: 120 })
    await expect.poll(() => t.batches, { timeout: 5_000 }).toEqual([t.jobIds])
    await expect.poll(t.pendingCount).toBe(0)
  })

  it("keeps its lease while one queue answers nothing and the others do", async () => {
    const silenceMs = 1_000
    const t = await setUp(1)
    t.behaviors.set("l1", () => new Promise<void>(() => {}))
    t.insertDue("l1", 1)
    t.start("a", { silenceMs })
    for (const until = Date.now() + 1.5 * silenceMs; Date.now() < until; await sleep(50)) {
      await t.submit()
      await expect.poll(() => t.pendingOf("whisper"), { timeout: 2_000 }).toBe(0)
    }
    expect(t.releases).toEqual([])
  })

  it("keeps its lease while a queue refuses messages, since a refusal is an answer", async () => {
    const t = await setUp(1)
    let refusals = 0
    t.behaviors.set("whisper", async (messages) => {
      refusals++
      throw new PublishError(
        messages.map(({ id }) => id),
        "the queue is full",
      )
    })
    t.start("a", { silenceMs: 100, leaseMs: 10_000 })
    await expect.poll(() => refusals, { timeout: 5_000 }).toBe(2)
    expect(t.releases).toEqual([])
  })

  it("releases its lease after a queue that did not confirm in time", async () => {
    const t = await setUp(1)
    const silenceMs = 50
    t.behaviors.set("whisper", async (messages) => {
      await sleep(2 * silenceMs)
      throw new PublishError(
        messages.map(({ id }) => id),
        "no confirmation",
      )
    })
    t.start("a", { silenceMs, leaseMs: 10_000 })
    await expect.poll(() => t.releases, { timeout: 5_000 }).toContain("a")
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

  it("sends a single message to a queue that refused some, ever less often, and logs its trouble once", async () => {
    const t = await setUp(0)
    await t.submit()
    await t.outbox.markPublished((await t.outbox.listDue(9)).map(({ id }) => id))
    t.insertDue("l1", 5)
    const sent: { at: number; ids: string[] }[] = []
    const { log, lines } = recordLog()
    const publish = async (messages: readonly OutgoingMessage[]) => {
      const ids = messages.map(({ id }) => id)
      sent.push({ at: performance.now(), ids })
      if (sent.length <= 2) throw new PublishError(ids, "the queue is full")
    }
    const relay = startRelay({ outbox: t.outbox, broker: { publish }, owner: "a", leaseMs: 3000, log })
    await expect.poll(t.pendingCount, { timeout: 5_000 }).toBe(0)
    await relay.stop()
    expect(sent.map(({ ids }) => ids.length)).toEqual([5, 1, 1, 4])
    const [first, second, third] = sent.map(({ at }) => at)
    expect(second! - first!).toBeGreaterThanOrEqual(499)
    expect(third! - second!).toBeGreaterThanOrEqual(999)
    expect(lines).toEqual([
      {
        level: "warn",
        stage: "l1",
        detail: "Couldn't publish a message: the queue is full.",
        msg: "the queue of a stage accepts no messages; retrying",
      },
      { level: "info", stage: "l1", msg: "the queue of a stage accepts messages again" },
    ])
  })

  it("publishes at once when the database reports a message, and stops listening at the end", async () => {
    const t = await setUp(0)
    let report = (): void => undefined
    let isListening = true
    const watch = (onChange: () => void) => {
      report = onChange
      return () => {
        isListening = false
      }
    }
    const published: string[] = []
    const publish = async (messages: readonly OutgoingMessage[]) => void published.push(...messages.map(({ id }) => id))
    const log = createLogger("silent", "test")
    // The timer of the next poll never ends.
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    const relay = startRelay({ outbox: { ...t.outbox, watch }, broker: { publish }, owner: "a", leaseMs: 60_000, log })
    await expect.poll(t.leaseHolder).toBe("a")
    await t.submit()
    report()
    await expect.poll(() => published.length).toBe(1)
    vi.useRealTimers()
    await relay.stop()
    expect(isListening).toBe(false)
  })

  it("waits for messages that are being published when it stops, but not for long", async () => {
    const t = await setUp(0)
    const events: string[] = []
    const outbox = {
      ...t.outbox,
      markPublished: async (ids: readonly string[]) => {
        events.push("marked")
        await t.outbox.markPublished(ids)
      },
      releaseLease: async (lease: Parameters<typeof t.outbox.releaseLease>[0]) => {
        events.push("released")
        await t.outbox.releaseLease(lease)
      },
    }
    let calls = 0
    let confirm = (): void => undefined
    const publish = () =>
      new Promise<void>((resolve) => {
        calls++
        confirm = resolve
      })
    const log = createLogger("silent", "test")
    const start = () => startRelay({ outbox, broker: { publish }, owner: "a", leaseMs: 60_000, log })
    const relay = start()
    await t.submit()
    await expect.poll(() => calls).toBe(1)
    const stopping = relay.stop()
    setTimeout(() => confirm(), 300)
    await stopping
    expect(events).toEqual(["marked", "released"])
    await t.submit()
    const began = performance.now()
    await start().stop()
    expect(performance.now() - began).toBeLessThan(3000)
    expect(events).toEqual(["marked", "released", "released"])
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
