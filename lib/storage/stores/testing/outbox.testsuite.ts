import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  claim,
  finish,
  LEASE_MS,
  newJob,
  publishDue,
  type StoreFixture,
  type StoreSetup,
  SWEEP,
  sweepFor,
} from "./fixtures.ts"

export const testOutbox = (setup: StoreSetup) =>
  describe("outbox and leases", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("lists the oldest due messages up to the limit until they are published", async () => {
      for (let i = 0; i < 3; i++) {
        await f.store.jobs.submit(newJob({ jobId: `job-${i}` }))
        f.clock.advance(1)
      }
      const two = await f.store.outbox.listDue(2)
      expect(two.map((m) => JSON.parse(m.body).job_id)).toEqual(["job-0", "job-1"])
      expect(await f.store.outbox.listDue(2)).toEqual(two)
      await f.store.outbox.markPublished(two.map((m) => m.id))
      expect((await f.store.outbox.listDue(9)).map((m) => JSON.parse(m.body).job_id)).toEqual(["job-2"])
      await f.store.outbox.markPublished([])
    })

    it("republishes the message of an unclaimed stage under its own ID, with growing intervals", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      const [first] = await publishDue(f.store)
      const resent: number[] = []
      for (let minute = 1; minute <= 8; minute++) {
        f.clock.advance(60_000)
        await f.store.stages.sweep(SWEEP)
        const due = await publishDue(f.store)
        if (due.length > 0) resent.push(minute)
        for (const m of due) expect(m).toEqual(first)
      }
      expect(resent).toEqual([1, 3, 7])
      await claim(f.store, jobId, "whisper")
      f.clock.advance(LEASE_MS - 1)
      await f.store.stages.sweep(SWEEP)
      expect(await publishDue(f.store)).toEqual([])
    })

    it("returns since when the oldest job of a stage is queued", async () => {
      expect(await f.store.stages.getQueuedSince()).toEqual({})
      const from = f.clock.now()
      for (const jobId of ["a", "b"]) {
        await f.store.jobs.submit(newJob({ jobId }))
        f.clock.advance(1000)
      }
      await publishDue(f.store)
      expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: from })
      await finish(f.store, "a", "whisper")
      expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: from + 1000, l1: from + 2000 })
      await f.store.jobs.cancel("a")
      await finish(f.store, "b", "whisper", "l1")
      expect(await f.store.stages.getQueuedSince()).toEqual({ decide: from + 2000, summarize_l1: from + 2000 })
      const failing = await claim(f.store, "b", "decide")
      await f.store.stages.fail(failing, { kind: "retry", detail: "no", retryInMs: 5000 })
      expect(await f.store.stages.getQueuedSince()).toEqual({ decide: from + 2000, summarize_l1: from + 2000 })
    })

    it("counts the queued time of a repeatedly deferred stage, and restarts it after a retry", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      const from = f.clock.now()
      for (let quarter = 0; quarter < 20; quarter++) {
        await publishDue(f.store)
        const claimed = await claim(f.store, jobId, "whisper")
        await f.store.stages.fail(claimed, { kind: "later", detail: "the bucket is away", retryInMs: 60_000 })
        expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: from })
        f.clock.advance(900_000)
        await f.store.stages.sweep(SWEEP)
      }
      await f.store.jobs.cancel(jobId)
      expect(await f.store.stages.getQueuedSince()).toEqual({})
      await f.store.jobs.retry(jobId)
      expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: f.clock.now() })
      await finish(f.store, jobId, "whisper")
      expect(await f.store.stages.getQueuedSince()).toEqual({ l1: f.clock.now() })
    })

    it("does not republish messages of finished stages", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      await publishDue(f.store)
      await finish(f.store, jobId, "whisper")
      await publishDue(f.store)
      await f.store.jobs.cancel(jobId)
      f.clock.advance(600_000)
      await f.store.stages.sweep(SWEEP)
      expect(await publishDue(f.store)).toEqual([])
    })

    it("publishes messages and ends leases after the clock was set back", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      await claim(f.store, jobId, "whisper")
      await publishDue(f.store)
      await f.store.jobs.submit(newJob({ jobId: "waits" }))
      expect(await f.store.outbox.acquireLease({ name: "relay", owner: "dead", ttlMs: 1000 })).toBe(true)
      f.clock.advance(-3_600_000)
      expect((await publishDue(f.store)).map((m) => JSON.parse(m.body).job_id)).toEqual(["waits"])
      expect(await f.store.outbox.acquireLease({ name: "relay", owner: "lives", ttlMs: 1000 })).toBe(true)
      expect(await sweepFor(f, LEASE_MS)).toEqual({ requeued: 1, failed: 0 })
    })

    it("gives a named lease to one owner at a time", async () => {
      const other = await f.another()
      const ask = (owner: string, store = f.store) => store.outbox.acquireLease({ name: "relay", owner, ttlMs: 1000 })
      expect(await ask("a")).toBe(true)
      expect(await ask("b", other)).toBe(false)
      expect(await other.outbox.acquireLease({ name: "sweeper", owner: "b", ttlMs: 1000 })).toBe(true)
      f.clock.advance(900)
      expect(await ask("a")).toBe(true)
      f.clock.advance(900)
      expect(await ask("b")).toBe(false)
      f.clock.advance(100)
      expect(await ask("b")).toBe(true)
      await f.store.outbox.releaseLease({ name: "relay", owner: "a" })
      expect(await ask("a")).toBe(false)
      await f.store.outbox.releaseLease({ name: "relay", owner: "b" })
      expect(await ask("a")).toBe(true)
    })
  })
