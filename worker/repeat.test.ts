import { setTimeout as sleep } from "node:timers/promises"
import pino from "pino"
import { afterEach, describe, expect, it, vi } from "vitest"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { repeat } from "./repeat.ts"

const listen = () => {
  const told: string[] = []
  const log = pino(
    { level: "info" },
    { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) },
  )
  return { told, log }
}

afterEach(() => {
  vi.useRealTimers()
})

describe("the delay between two runs", () => {
  /** Starts work that fails while `isFailing`, and returns the number of runs within the next seconds. */
  const start = (everyMs: number) => {
    vi.useFakeTimers()
    const state = { isFailing: true, runs: 0 }
    const loop = repeat("work", everyMs, recordLog().log, async () => {
      state.runs++
      if (state.isFailing) throw new Error("the disk is full")
    })
    const runsAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return state.runs
    }
    return { state, loop, runsAfter }
  }

  it("doubles after each failure up to five seconds, and is as before after a success", async () => {
    const { state, loop, runsAfter } = start(1000)
    expect([await runsAfter(1999), await runsAfter(1)]).toEqual([1, 2])
    expect([await runsAfter(3999), await runsAfter(1)]).toEqual([2, 3])
    expect([await runsAfter(4999), await runsAfter(1)]).toEqual([3, 4])
    state.isFailing = false
    expect([await runsAfter(4999), await runsAfter(1)]).toEqual([4, 5])
    expect([await runsAfter(999), await runsAfter(1)]).toEqual([5, 6])
    await loop.stop()
    expect(await runsAfter(60_000)).toBe(6)
  })

  it("is never shorter than usual", async () => {
    const { loop, runsAfter } = start(60_000)
    expect([await runsAfter(59_999), await runsAfter(1)]).toEqual([1, 2])
    await loop.stop()
  })

  it("is skipped on demand, unless the task has been stopped", async () => {
    const { loop, runsAfter } = start(60_000)
    expect(await runsAfter(0)).toBe(1)
    loop.runNow()
    expect(await runsAfter(0)).toBe(2)
    expect(await runsAfter(59_999)).toBe(2)
    expect(await runsAfter(1)).toBe(3)
    await loop.stop()
    loop.runNow()
    expect(await runsAfter(0)).toBe(3)
  })
})

describe("the log of a repeated task", () => {
  it("names each new error, and the number of failures when it has recovered", async () => {
    vi.useFakeTimers()
    const { log, lines } = recordLog()
    const results = ["no space", "no space", "locked", null, "no space", null, null]
    const loop = repeat("sweeping", 10, log, async () => {
      const error = results.shift()
      if (error) throw new Error(error)
    })
    await vi.advanceTimersByTimeAsync(1000)
    await loop.stop()
    const failed = (detail: string) => ({ level: "warn", detail, msg: "sweeping failed; retrying" })
    const recovered = (failures: number) => ({ level: "info", failures, msg: "sweeping recovered" })
    expect(lines).toEqual([failed("no space"), failed("locked"), recovered(3), failed("no space"), recovered(1)])
  })
})

describe("repeat", () => {
  it("runs on demand, and once more after the current run if requested during it", async () => {
    const [begun, release] = [[] as number[], [] as (() => void)[]]
    const loop = repeat("work", 3_600_000, listen().log, async () => {
      begun.push(begun.length)
      await new Promise<void>((resolve) => release.push(resolve))
    })
    await expect.poll(() => release.length).toBe(1)
    loop.runNow()
    await sleep(5)
    expect(begun).toHaveLength(1)
    release[0]!()
    await expect.poll(() => release.length).toBe(2)
    release[1]!()
    await sleep(20)
    expect(begun).toHaveLength(2)
    loop.runNow()
    await expect.poll(() => release.length).toBe(3)
    release[2]!()
    await loop.stop()
  })

  it("repeats without overlap until it is stopped", async () => {
    let now = 0
    let most = 0
    let runs = 0
    const loop = repeat("work", 1, listen().log, async () => {
      most = Math.max(most, ++now)
      await sleep(3)
      now--
      runs++
    })
    await expect.poll(() => runs, { timeout: 10_000 }).toBeGreaterThan(3)
    await loop.stop()
    const before = runs
    expect(most).toBe(1)
    await sleep(20)
    expect(runs).toBe(before)
  })

  it("continues after failures with growing delays and logs the error and the recovery once", async () => {
    const { told, log } = listen()
    let runs = 0
    const loop = repeat("work", 2, log, async () => {
      if (++runs <= 4) throw new Error("the disk is full")
    })
    await sleep(40)
    expect(runs).toBeLessThan(6)
    await expect.poll(() => told).toEqual(["work failed; retrying", "work recovered"])
    await loop.stop()
  })

  it("runs a last time when finished", async () => {
    let runs = 0
    const loop = repeat("work", 60_000, listen().log, async () => void runs++)
    await loop.finish()
    expect(runs).toBe(2)
  })
})
