import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  claim,
  finish,
  LEASE_MS,
  newJob,
  publishDue,
  resultOf,
  type StoreFixture,
  type StoreSetup,
} from "./fixtures.ts"

export const testOutbox = (setup: StoreSetup) =>
  describe("outbox, leases and models", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("gives the oldest messages first, as many as asked, until they are published", async () => {
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

    it("offers the message of a stage that nobody took up again, ever more seldom, under its own id", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      const [first] = await publishDue(f.store)
      const resent: number[] = []
      for (let minute = 1; minute <= 8; minute++) {
        f.clock.advance(60_000)
        await f.store.stages.sweep()
        const due = await publishDue(f.store)
        if (due.length > 0) resent.push(minute)
        for (const m of due) expect(m).toEqual(first)
      }
      expect(resent).toEqual([1, 3, 7])
      await claim(f.store, jobId, "whisper")
      f.clock.advance(LEASE_MS - 1)
      await f.store.stages.sweep()
      expect(await publishDue(f.store)).toEqual([])
    })

    it("knows since when the oldest job of a stage waits", async () => {
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

    it("counts the time of a stage that is put off again and again, for days, and anew after a retry", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      const from = f.clock.now()
      for (let quarter = 0; quarter < 20; quarter++) {
        await publishDue(f.store)
        const claimed = await claim(f.store, jobId, "whisper")
        await f.store.stages.fail(claimed, { kind: "later", detail: "the bucket is away", retryInMs: 60_000 })
        expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: from })
        f.clock.advance(900_000)
        await f.store.stages.sweep()
      }
      await f.store.jobs.cancel(jobId)
      expect(await f.store.stages.getQueuedSince()).toEqual({})
      await f.store.jobs.retry(jobId)
      expect(await f.store.stages.getQueuedSince()).toEqual({ whisper: f.clock.now() })
      await finish(f.store, jobId, "whisper")
      expect(await f.store.stages.getQueuedSince()).toEqual({ l1: f.clock.now() })
    })

    it("does not offer the messages of stages that are done", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      await publishDue(f.store)
      await finish(f.store, jobId, "whisper")
      await publishDue(f.store)
      await f.store.jobs.cancel(jobId)
      f.clock.advance(600_000)
      await f.store.stages.sweep()
      expect(await publishDue(f.store)).toEqual([])
    })

    it("is not stopped by a clock that is set back: messages are due, leases end", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      await claim(f.store, jobId, "whisper")
      await publishDue(f.store)
      await f.store.jobs.submit(newJob({ jobId: "waits" }))
      expect(await f.store.outbox.acquireLease({ name: "relay", owner: "dead", ttlMs: 1000 })).toBe(true)
      f.clock.advance(-3_600_000)
      expect((await publishDue(f.store)).map((m) => JSON.parse(m.body).job_id)).toEqual(["waits"])
      expect(await f.store.outbox.acquireLease({ name: "relay", owner: "lives", ttlMs: 1000 })).toBe(true)
      expect(await f.store.stages.sweep()).toEqual({ requeued: 1, failed: 0 })
    })

    it("lends a named lease to one owner at a time", async () => {
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

    describe("a model in use", () => {
      const topics = ["whisper", "l1", "decide", "l2", "summarize_l1", "summarize_l2"] as const
      const start = async () => {
        const { jobId } = await f.store.jobs.submit(newJob()).then((r) => ({ jobId: r.job_id }))
        await f.store.resources.holdModel({ jobId, model: "gemma" })
        await f.store.resources.holdModel({ jobId, model: "gemma" })
        return jobId
      }

      it("is handed out once, when the last topic stage is done", async () => {
        const jobId = await start()
        await finish(f.store, jobId, ...topics)
        expect(await f.store.resources.claimEvictableModels()).toEqual([])
        await finish(f.store, jobId, "l0")
        const other = await f.another()
        const taken = await Promise.all([
          f.store.resources.claimEvictableModels(),
          other.resources.claimEvictableModels(),
          f.store.resources.claimEvictableModels(),
        ])
        expect(taken.flat()).toEqual(["gemma"])
        await finish(f.store, jobId, "persist")
        expect(await f.store.resources.claimEvictableModels()).toEqual([])
      })

      it("is handed out by the last of two runs that overlap", async () => {
        const [a, b] = [await start(), await start()]
        await f.store.jobs.cancel(a)
        expect(await f.store.resources.claimEvictableModels()).toEqual([])
        await finish(f.store, b, ...topics, "l0")
        expect(await f.store.resources.claimEvictableModels()).toEqual(["gemma"])
      })

      it("does not keep another model back", async () => {
        await start()
        await f.store.resources.holdModel({ jobId: "a run without a job", model: "llama" })
        expect(await f.store.resources.claimEvictableModels()).toEqual(["llama"])
      })

      it("waits after a cancellation for the call in flight to end", async () => {
        const jobId = await start()
        await finish(f.store, jobId, "whisper")
        const running = await claim(f.store, jobId, "l1")
        await f.store.jobs.cancel(jobId)
        expect(await f.store.resources.claimEvictableModels()).toEqual([])
        expect(await f.store.stages.complete(running, resultOf("l1"))).toBe(false)
        expect(await f.store.resources.claimEvictableModels()).toEqual(["gemma"])
      })

      it("waits after an error in the other branch, but not for a worker that is gone", async () => {
        const jobId = await start()
        await finish(f.store, jobId, "whisper", "l1")
        await claim(f.store, jobId, "decide", "dies")
        const failing = await claim(f.store, jobId, "summarize_l1")
        await f.store.stages.fail(failing, { kind: "never", detail: "no", retryInMs: 0 })
        expect(await f.store.resources.claimEvictableModels()).toEqual([])
        f.clock.advance(LEASE_MS)
        expect(await f.store.resources.claimEvictableModels()).toEqual(["gemma"])
      })
    })
  })
