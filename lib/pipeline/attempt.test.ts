import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import { createLogger } from "../platform/logger.ts"
import { type AttemptRequest, startAttempt } from "./attempt.ts"

const claim = { jobId: "j", stage: "decide", attempt: 1, tries: 1, owner: "o" } as const

/** The two operations of a store that an attempt uses, as it would answer. */
const start = (perform: AttemptRequest["perform"], over: Partial<AttemptRequest> & { beats?: string[] } = {}) => {
  const reports: JobProgress[] = []
  const answers = [...(over.beats ?? [])]
  const stages = {
    renewLease: async () => (answers.shift() ?? "held") as "held" | "lost" | "cancelled",
    reportProgress: async (_: unknown, p: JobProgress) => void reports.push(p),
  }
  const log = createLogger("silent", "test")
  const timing = { leaseMs: 200, heartbeatMs: 10, timeoutMs: 5_000, abortGraceMs: 30 }
  return { reports, ...startAttempt({ stages, claim, log, perform, ...timing, ...over }) }
}
const forever: AttemptRequest["perform"] = ({ signal }) => sleep(5_000, "late", { signal })

describe("startAttempt", () => {
  it("returns the output, or throws the error of the stage", async () => {
    expect(await start(async () => 7).ended).toEqual({ output: 7 })
    const failing = start(async () => {
      throw new Error("no")
    })
    await expect(failing.ended).rejects.toThrow("no")
  })

  it.each([["lost"], ["cancelled"]])("aborts when the claim is %s", async (why) => {
    expect(await start(forever, { beats: ["held", why] }).ended).toEqual({ why })
  })

  it("aborts on timeout and when it is stopped", async () => {
    expect(await start(forever, { timeoutMs: 20 }).ended).toEqual({ why: "timeout" })
    const stopped = start(forever)
    stopped.stop({ why: "shutdown" })
    stopped.stop({ why: "cancelled" })
    expect(await stopped.ended).toEqual({ why: "shutdown" })
  })

  it("excludes only untimed waits from the timeout", async () => {
    const waits: AttemptRequest["perform"] = async ({ untimed, signal }) => {
      await untimed(sleep(150))
      return sleep(100, "late", { signal })
    }
    const began = Date.now()
    expect(await start(waits, { timeoutMs: 60 }).ended).toEqual({ why: "timeout" })
    expect(Date.now() - began).toBeGreaterThanOrEqual(200)
    expect(await start(waits, { timeoutMs: 140 }).ended).toEqual({ output: "late" })
    const failing = start(({ untimed }) => untimed(Promise.reject(new Error("no"))), { timeoutMs: 60 })
    await expect(failing.ended).rejects.toThrow("no")
  })

  it("abandons a stage that ignores its abort signal", async () => {
    const began = Date.now()
    expect(await start(() => sleep(3_000), { timeoutMs: 20 }).ended).toEqual({ why: "timeout" })
    expect(Date.now() - began).toBeLessThan(1_000)
  })

  it("reports a claim as lost when the store does not respond until the lease expires", async () => {
    const silent = { renewLease: () => new Promise<never>(() => {}), reportProgress: async () => {} }
    const began = Date.now()
    expect(await start(forever, { stages: silent }).ended).toEqual({ why: "lost" })
    expect(Date.now() - began).toBeLessThan(2_000)
  })

  it("reports a claim as lost when the store fails until the lease expires", async () => {
    const stages = {
      renewLease: () => Promise.reject(new Error("locked")),
      reportProgress: async () => {},
    }
    const began = Date.now()
    expect(await start(forever, { stages }).ended).toEqual({ why: "lost" })
    expect(Date.now() - began).toBeGreaterThanOrEqual(190)
  })

  it("reports the newest progress at most four times a second, with the remaining time", async () => {
    const { ended, reports } = start(async ({ progress }) => {
      for (let done = 0; done <= 60; done++) {
        progress(done, 120)
        await sleep(10)
      }
    })
    await ended
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.length).toBeLessThan(6)
    expect(reports[0]).toMatchObject({ stage: "decide", total: 120 })
    expect(reports.at(-1)!.done).toBeGreaterThan(20)
    expect(reports.at(-1)!.eta_s).toBeGreaterThanOrEqual(0)
  })

  it("reports no progress of a stage that ends before the first interval", async () => {
    const { ended, reports } = start(async ({ progress }) => progress(0, 1))
    await ended
    await sleep(300)
    expect(reports).toEqual([])
  })
})
