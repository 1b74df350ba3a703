import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import { createLogger } from "../platform/logger.ts"
import { type AttemptRequest, startAttempt } from "./attempt.ts"

const claim = { jobId: "j", stage: "decide", attempt: 1, tries: 1, owner: "o" } as const

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** The two operations of a store that an attempt uses, as it would answer. */
const start = (perform: AttemptRequest["perform"], over: Partial<AttemptRequest> & { beats?: string[] } = {}) => {
  const reports: JobProgress[] = []
  const answers = [...(over.beats ?? [])]
  const stages = {
    renewLease: async () => (answers.shift() ?? "held") as "held" | "lost" | "cancelled",
    reportProgress: async (_: unknown, p: JobProgress) => void reports.push(p),
    addLiveWords: async () => {},
  }
  const log = createLogger("silent", "test")
  const timing = { leaseMs: 200, heartbeatMs: 10, timeoutMs: 5_000, abortGraceMs: 30 }
  const attempt = startAttempt({ stages, claim, log, perform, ...timing, ...over })
  ends.push(attempt.close)
  return { reports, ...attempt }
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
    const worksBefore: AttemptRequest["perform"] = async ({ untimed, signal }) => {
      await sleep(100, undefined, { signal })
      await untimed(sleep(20))
      return sleep(100, "late", { signal })
    }
    expect(await start(worksBefore, { timeoutMs: 150 }).ended).toEqual({ why: "timeout" })
    const failing = start(({ untimed }) => untimed(Promise.reject(new Error("no"))), { timeoutMs: 60 })
    await expect(failing.ended).rejects.toThrow("no")
  })

  it("abandons a stage that ignores its abort signal", async () => {
    const began = Date.now()
    expect(await start(() => sleep(3_000), { timeoutMs: 20 }).ended).toEqual({ why: "timeout" })
    expect(Date.now() - began).toBeLessThan(1_000)
  })

  it("holds its lease for longer than one lease while heartbeats take a few milliseconds", async () => {
    const stages = {
      renewLease: async () => sleep(5, "held" as const),
      reportProgress: async () => {},
      addLiveWords: async () => {},
    }
    const works: AttemptRequest["perform"] = ({ signal }) => sleep(150, "late", { signal })
    expect(await start(works, { stages, leaseMs: 50 }).ended).toEqual({ output: "late" })
  })

  it.each([
    ["does not respond", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("locked"))],
  ])("continues while the store %s, and stops once it reports that the claim is lost", async (_, renewLease) => {
    const outageMs = 150
    const began = Date.now()
    const stages = {
      renewLease: () => (Date.now() - began < outageMs ? renewLease() : Promise.resolve("lost" as const)),
      reportProgress: async () => {},
      addLiveWords: async () => {},
    }
    const works: AttemptRequest["perform"] = ({ signal }) => sleep(100, "late", { signal })
    expect(await start(works, { stages, leaseMs: 30 }).ended).toEqual({ output: "late" })
    expect(await start(forever, { stages, leaseMs: 30 }).ended).toEqual({ why: "lost" })
    expect(Date.now() - began).toBeGreaterThanOrEqual(outageMs)
  })

  it("renews its lease after its end until it is closed", async () => {
    let renewals = 0
    const renewLease = async () => {
      renewals++
      return "held" as const
    }
    const stages = { renewLease, reportProgress: async () => {}, addLiveWords: async () => {} }
    const attempt = start(async () => 7, { stages, heartbeatMs: 2 })
    await attempt.ended
    await expect.poll(() => renewals).toBeGreaterThan(2)
    await attempt.close()
    const before = renewals
    await sleep(20)
    expect(renewals).toBe(before)
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
