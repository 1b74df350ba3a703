import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createLogger } from "../platform/logger.ts"
import { keepLease, type LeaseLoss } from "./lease.ts"

const claim = { jobId: "j", stage: "decide", attempt: 1, tries: 1, owner: "o" } as const
type Answer = "held" | LeaseLoss

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Keeps a lease of 100 ms with a heartbeat every 10 ms against a store that answers as `renew` does. */
const keep = (renew: (n: number) => Promise<Answer>) => {
  const losses: LeaseLoss[] = []
  const warnings: string[] = []
  const log = createLogger("silent", "test")
  vi.spyOn(log, "warn").mockImplementation(((fields: { detail: string }) => warnings.push(fields.detail)) as never)
  const renewLease = vi.fn((_: unknown, _ms: number) => renew(renewLease.mock.calls.length))
  const end = keepLease({
    stages: { renewLease },
    claim,
    leaseMs: 100,
    heartbeatMs: 10,
    log,
    onLoss: (why) => void losses.push(why),
  })
  return { end, losses, warnings, renewLease }
}

describe("keepLease", () => {
  it("renews the lease for its length once per heartbeat until it is ended", async () => {
    const lease = keep(async () => "held")
    await vi.advanceTimersByTimeAsync(9)
    expect(lease.renewLease).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(21)
    expect(lease.renewLease.mock.calls).toEqual(Array.from({ length: 3 }, () => [claim, 100]))
    await lease.end()
    await vi.advanceTimersByTimeAsync(1000)
    expect(lease.renewLease).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(0)
  })
  it.each(["lost", "cancelled"] as const)("reports a claim that is %s once, and stops", async (why) => {
    const lease = keep(async (n) => (n < 3 ? "held" : why))
    await vi.advanceTimersByTimeAsync(1000)
    expect(lease.losses).toEqual([why])
    expect(lease.renewLease).toHaveBeenCalledTimes(3)
  })
  it("tries again after an error of the store", async () => {
    const lease = keep(async (n) => {
      if (n === 1) throw new Error("connection refused")
      return n === 2 ? "held" : "lost"
    })
    await vi.advanceTimersByTimeAsync(30)
    expect(lease.warnings).toEqual(["connection refused"])
    expect(lease.losses).toEqual(["lost"])
  })
  it("gives up a request that takes as long as the lease, and tries again", async () => {
    const lease = keep((n) => (n === 1 ? new Promise(() => undefined) : Promise.resolve("held")))
    await vi.advanceTimersByTimeAsync(109)
    expect(lease.warnings).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(lease.warnings).toEqual(["The store did not respond in time."])
    await vi.advanceTimersByTimeAsync(10)
    expect(lease.renewLease).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(1)
    await lease.end()
  })
  it("waits at its end for the heartbeat in flight, and ignores its answer", async () => {
    let answer: (state: Answer) => void = () => undefined
    const lease = keep(() => new Promise((resolve) => (answer = resolve)))
    await vi.advanceTimersByTimeAsync(10)
    const ended = vi.fn()
    const end = lease.end().then(ended)
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).not.toHaveBeenCalled()
    answer("lost")
    await end
    expect(lease.losses).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
  it("does not try again if a heartbeat fails after its end", async () => {
    let fail: (error: Error) => void = () => undefined
    const lease = keep(() => new Promise((_, reject) => (fail = reject)))
    await vi.advanceTimersByTimeAsync(10)
    const end = lease.end()
    fail(new Error("connection closed"))
    await end
    expect(vi.getTimerCount()).toBe(0)
  })
})
