import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { GpuKind } from "../ports/resources.ts"
import type { Claim } from "../ports/stages.ts"
import type { Store } from "../ports/store.ts"
import { claim, finish, LEASE_MS, newJob, resultOf, type StoreFixture, type StoreSetup } from "./fixtures.ts"

const TURN_MS = 10_000
const LINGER_MS = 1_000

export const testGpu = (setup: StoreSetup) =>
  describe("GPU turns", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const asks = (held: Claim, kind: GpuKind, gpu = "host", store: Store = f.store) =>
      store.resources.acquireGpu({ claim: held, gpu, kind, turnMs: TURN_MS, lingerMs: LINGER_MS })
    const listening = async (jobId: string): Promise<Claim> => {
      await f.store.jobs.submit(newJob({ jobId }))
      return claim(f.store, jobId, "whisper")
    }
    const dividing = async (jobId: string): Promise<Claim> => {
      await f.store.jobs.submit(newJob({ jobId }))
      await finish(f.store, jobId, "whisper")
      return claim(f.store, jobId, "l1")
    }

    it("admits one kind at a time and any number of that kind, across processes", async () => {
      const other = await f.another()
      const [a, b, c] = [await dividing("a"), await dividing("b"), await listening("c")]
      expect(await asks(a, "llm")).toBe(true)
      expect(await asks(b, "llm", "host", other)).toBe(true)
      expect(await asks(c, "whisper", "host", other)).toBe(false)
      expect(await asks(c, "whisper", "elsewhere")).toBe(true)
      expect(await asks(a, "llm")).toBe(true)
    })

    it("changes kind after the last stage has left and the linger time is over", async () => {
      const [a, b] = [await dividing("a"), await listening("b")]
      expect(await asks(a, "llm")).toBe(true)
      expect(await asks(b, "whisper")).toBe(false)
      await f.store.resources.releaseGpu(a)
      expect(await asks(b, "whisper")).toBe(false)
      f.clock.advance(LINGER_MS)
      expect(await asks(b, "whisper")).toBe(true)
      expect(await asks(await dividing("c"), "llm")).toBe(false)
    })

    it("continues to take turns after the clock was set back", async () => {
      const [a, b, c] = [await dividing("a"), await listening("b"), await dividing("c")]
      await asks(a, "llm")
      await asks(b, "whisper")
      await asks(c, "llm")
      await f.store.resources.releaseGpu(a)
      f.clock.advance(-3_600_000)
      expect(await asks(b, "whisper")).toBe(false)
      f.clock.advance(TURN_MS)
      expect(await asks(await dividing("d"), "llm")).toBe(false)
      await f.store.resources.releaseGpu(c)
      expect(await asks(b, "whisper")).toBe(true)
    })

    it("admits no new stage once one of the other kind has waited for a turn", async () => {
      const [a, b] = [await dividing("a"), await listening("b")]
      await asks(a, "llm")
      await asks(b, "whisper")
      f.clock.advance(TURN_MS - 1)
      const c = await dividing("c")
      expect(await asks(c, "llm")).toBe(true)
      f.clock.advance(1)
      expect(await asks(await dividing("d"), "llm")).toBe(false)
      await f.store.resources.releaseGpu(a)
      expect(await asks(b, "whisper")).toBe(false)
      await f.store.resources.releaseGpu(c)
      expect(await asks(b, "whisper")).toBe(true)
    })

    it("ignores holding and waiting stages whose lease has expired", async () => {
      const [a, b] = [await dividing("a"), await listening("b")]
      await asks(a, "llm")
      f.clock.advance(LEASE_MS - 1)
      await f.store.stages.renewLease(b, LEASE_MS)
      expect(await asks(b, "whisper")).toBe(false)
      f.clock.advance(1)
      expect(await asks(b, "whisper")).toBe(true)

      const again = await claim(f.store, "a", "l1", "another")
      expect(await asks(again, "llm")).toBe(false)
      f.clock.advance(LEASE_MS)
      const c = await listening("c")
      expect(await asks(c, "whisper")).toBe(true)
      // An attempt that lost its claim cannot release the place of its successor.
      await f.store.resources.releaseGpu(c)
      f.clock.advance(LINGER_MS)
      const third = await claim(f.store, "a", "l1", "a third")
      expect(await asks(third, "llm")).toBe(true)
      await f.store.resources.releaseGpu(again)
      expect(await asks(await listening("d"), "whisper")).toBe(false)
    })

    it("keeps the GPU for the attempt that holds the claim when an earlier attempt asks late", async () => {
      const late = await dividing("a")
      await f.store.stages.fail(late, { kind: "retry", detail: "no", retryInMs: 0 })
      const current = await claim(f.store, "a", "l1", "another")
      expect(await asks(current, "llm")).toBe(true)
      expect(await asks(late, "llm")).toBe(false)
      expect(await asks(await listening("b"), "whisper")).toBe(false)
      expect(await asks(current, "llm")).toBe(true)
    })

    it("releases the GPU of a stage that ended without releasing it", async () => {
      const a = await dividing("a")
      await asks(a, "llm")
      await f.store.stages.complete(a, resultOf("l1"))
      expect(await asks(await listening("b"), "whisper")).toBe(true)
    })

    it("admits the next stage when a waiting one gives up", async () => {
      const [a, b] = [await dividing("a"), await listening("b")]
      await asks(a, "llm")
      await asks(b, "whisper")
      await f.store.resources.releaseGpu(b)
      f.clock.advance(TURN_MS)
      expect(await asks(await dividing("c"), "llm")).toBe(true)
    })
  })
