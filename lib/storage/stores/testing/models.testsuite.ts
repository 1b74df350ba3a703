import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { claim, finish, LEASE_MS, newJob, resultOf, type StoreFixture, type StoreSetup } from "./fixtures.ts"

export const testModels = (setup: StoreSetup) =>
  describe("models in use", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const topics = ["whisper", "l1", "decide", "l2", "summarize_l1", "summarize_l2"] as const
    const start = async () => {
      const { jobId } = await f.store.jobs.submit(newJob()).then((r) => ({ jobId: r.job_id }))
      await f.store.resources.holdModel({ jobId, model: "gemma" })
      await f.store.resources.holdModel({ jobId, model: "gemma" })
      return jobId
    }

    it("returns a model for eviction once, when the last topic stage is done", async () => {
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

    it("returns a model for eviction after the last of two overlapping jobs", async () => {
      const [a, b] = [await start(), await start()]
      await f.store.jobs.cancel(a)
      expect(await f.store.resources.claimEvictableModels()).toEqual([])
      await finish(f.store, b, ...topics, "l0")
      expect(await f.store.resources.claimEvictableModels()).toEqual(["gemma"])
    })

    it("returns an unused model while another is in use", async () => {
      await start()
      await f.store.resources.holdModel({ jobId: "a run without a job", model: "llama" })
      expect(await f.store.resources.claimEvictableModels()).toEqual(["llama"])
    })

    it("waits after a cancellation until the request in flight has ended", async () => {
      const jobId = await start()
      await finish(f.store, jobId, "whisper")
      const running = await claim(f.store, jobId, "l1")
      await f.store.jobs.cancel(jobId)
      expect(await f.store.resources.claimEvictableModels()).toEqual([])
      expect(await f.store.stages.complete(running, resultOf("l1"))).toBe(false)
      expect(await f.store.resources.claimEvictableModels()).toEqual(["gemma"])
    })

    it("waits after an error in the other branch, but not for a dead worker", async () => {
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
