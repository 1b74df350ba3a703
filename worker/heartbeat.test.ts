import { hostname } from "node:os"
import pino from "pino"
import { describe, expect, it } from "vitest"
import { packageVersion } from "../lib/platform/package-root.ts"
import type { WorkerStatus } from "../lib/storage/stores/ports/installation.ts"
import { startHeartbeat } from "./heartbeat.ts"

const log = pino({ level: "silent" })

const start = (over: { activeAt: number | null; ahead_ms?: number; alive?: boolean }) => {
  const beats: Omit<WorkerStatus, "seen_at">[] = []
  const gone: string[] = []
  let stuck = 0
  const heart = startHeartbeat({
    store: {
      installation: {
        recordHeartbeat: async (worker) => void beats.push(worker),
        deregisterWorker: async (id) => void gone.push(id),
      },
      now: async () => Date.now() + (over.ahead_ms ?? 0),
    },
    id: "w",
    stages: ["l1"],
    runner: { activeAt: () => over.activeAt },
    isAlive: async () => over.alive ?? true,
    onStuck: () => void stuck++,
    log,
  })
  return { heart, beats, gone, stuck: () => stuck }
}

describe("the heartbeat", () => {
  it("registers the worker immediately and removes it at the end", async () => {
    const began = Date.now()
    const { heart, beats, gone } = start({ activeAt: null })
    await expect.poll(() => beats.length).toBe(1)
    expect(beats[0]!.started_at).toBeGreaterThanOrEqual(began)
    expect(beats[0]!.started_at).toBeLessThanOrEqual(Date.now())
    expect(beats[0]).toMatchObject({
      id: "w",
      host: hostname(),
      pid: process.pid,
      version: packageVersion(),
      stages: ["l1"],
      active_at: null,
    })
    await heart.stop()
    expect(gone).toEqual(["w"])
  })

  it("reports the last activity in the database's time, an hour ahead of this host's", async () => {
    const hour = 3_600_000
    const active = Date.now() - 5000
    const { heart, beats } = start({ activeAt: active, ahead_ms: hour })
    await expect.poll(() => beats.length).toBe(1)
    expect(Math.abs(beats[0]!.active_at! - (active + hour))).toBeLessThan(1000)
    await heart.stop()
  })

  it("sends no heartbeat when the worker is stuck, and reports it", async () => {
    const { heart, beats, stuck } = start({ activeAt: null, alive: false })
    await expect.poll(stuck).toBe(1)
    expect(beats).toEqual([])
    await heart.stop()
  })
})
