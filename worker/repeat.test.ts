import { setTimeout as sleep } from "node:timers/promises"
import pino from "pino"
import { describe, expect, it } from "vitest"
import { repeat } from "./repeat.ts"

const listen = () => {
  const told: string[] = []
  const log = pino(
    { level: "info" },
    { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) },
  )
  return { told, log }
}

describe("repeat", () => {
  it("runs on demand, and once more after the current run if requested during it", async () => {
    const [begun, release] = [[] as number[], [] as (() => void)[]]
    const loop = repeat("work", 3_600_000, listen().log, async () => {
      begun.push(begun.length)
      await new Promise<void>((resolve) => release.push(resolve))
    })
    await expect.poll(() => release.length).toBe(1)
    loop.runNow()
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
