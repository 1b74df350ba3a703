import { describe, expect, it } from "vitest"
import { STAGE_NAMES, type StageName } from "../lib/domain/jobs/stages.ts"
import type { QueueStats } from "../lib/queue/types.ts"
import { createLivenessCheck } from "./liveness-check.ts"

/** A worker for l1 at a clock of its own: what waits there, whether the queue answers, what it does itself. */
const setUp = () => {
  const world = { now: 0, waiting: 0, down: false, inFlight: 0, activeAt: null as number | null }
  const alive = createLivenessCheck({
    stages: ["l1"],
    now: () => world.now,
    broker: {
      stats: async () => {
        if (world.down) throw new Error("no broker")
        const of = (s: StageName): QueueStats => ({ waiting: s === "l1" ? world.waiting : 9 })
        return Object.fromEntries(STAGE_NAMES.map((s) => [s, of(s)])) as Record<StageName, QueueStats>
      },
    },
    runner: { inFlightCount: () => world.inFlight, activeAt: () => world.activeAt },
  })
  const at = (minutes: number, change: Partial<typeof world> = {}) => {
    Object.assign(world, change, { now: minutes * 60_000 })
    return alive()
  }
  return { at }
}

describe("createLivenessCheck", () => {
  it("counts from when messages began to wait without a break", async () => {
    const { at } = setUp()
    expect(await at(0, { waiting: 1 })).toBe(true)
    expect(await at(0.8, { waiting: 0 })).toBe(true)
    expect(await at(0.9, { waiting: 1 })).toBe(true)
    expect(await at(1.5)).toBe(true)
    expect(await at(2)).toBe(false)
    // Older work does not count.
    expect(await at(2.1, { activeAt: 0.5 * 60_000 })).toBe(false)
  })

  it("reports a worker as stuck when messages wait for a minute and it takes none", async () => {
    const { at } = setUp()
    expect(await at(0, { waiting: 1 })).toBe(true)
    expect(await at(0.9)).toBe(true)
    expect(await at(0.999)).toBe(true)
    expect(await at(1)).toBe(false)
  })

  it("reports a worker as alive while nothing waits, the queue fails, it works, or it has just worked", async () => {
    const { at } = setUp()
    expect(await at(0)).toBe(true)
    expect(await at(4)).toBe(true)
    expect(await at(5, { waiting: 2, down: true })).toBe(true)
    expect(await at(10, { down: false, inFlight: 1 })).toBe(true)
    expect(await at(15, { inFlight: 0 })).toBe(true)
    expect(await at(15.9)).toBe(true)
    expect(await at(16.5, { activeAt: 16 * 60_000 })).toBe(true)
    expect(await at(17.5)).toBe(false)
  })
})
