import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { createLogger } from "../lib/platform/logger.ts"
import type { StageStore } from "../lib/storage/stores/ports/stages.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { startLibraryPreparation } from "./library-preparation.ts"
import { startSweeper } from "./sweeper.ts"

type Resources = Parameters<typeof startSweeper>[0]["store"]["resources"]

const log = createLogger("silent", "test")
const SWEEP = { leaseMs: 30_000, intervalMs: 5 }

it("a sweeper logs what it recovers", async () => {
  const recorded = recordLog()
  const found = [
    { requeued: 0, failed: 0 },
    { requeued: 2, failed: 0 },
    { requeued: 0, failed: 1 },
  ]
  let sweeps = 0
  const stages = { sweep: async () => found[sweeps++] ?? found[0]! } as Partial<StageStore> as StageStore
  const resources = { claimEvictableModels: async () => [] } as Partial<Resources> as Resources
  const engines = { releaseModel: async () => {} }
  const sweeper = startSweeper({ store: { stages, resources }, engines, log: recorded.log, ...SWEEP })
  await expect.poll(() => sweeps).toBeGreaterThan(3)
  await sweeper.stop()
  const msg = "recovered stages of dead workers"
  expect(recorded.lines).toEqual([
    { level: "warn", ...found[1], msg },
    { level: "warn", ...found[2], msg },
  ])
})

it("a sweeper sweeps at its interval and evicts the models of dead workers", async () => {
  const models = [[], ["gemma"], []] as string[][]
  const sweeps: unknown[] = []
  const evicted: string[] = []
  const sweeper = startSweeper({
    store: {
      stages: {
        sweep: async (options) => {
          sweeps.push(options)
          return { requeued: 0, failed: 0 }
        },
      } as Partial<StageStore> as StageStore,
      resources: {
        claimEvictableModels: async () => models.shift() ?? [],
        acquireGpu: async () => true,
        releaseGpu: async () => {},
        holdModel: async () => {},
      },
    },
    engines: { releaseModel: async (model) => void evicted.push(model) },
    log,
    ...SWEEP,
  })
  await expect.poll(() => sweeps.length).toBeGreaterThan(2)
  await sweeper.stop()
  expect(sweeps[0]).toEqual(SWEEP)
  expect(evicted).toEqual(["gemma"])
})

it("the library is prepared periodically and stops between two clips when the worker stops", async () => {
  const library = {
    calls: 0,
    prepare: async (signal: AbortSignal) => {
      library.calls++
      if (library.calls < 3) return 1
      for (let clip = 0; clip < 1_000 && !signal.aborted; clip++) await sleep(10)
      return 1
    },
  }
  const preparation = startLibraryPreparation({ prepare: library.prepare, intervalMs: 1, log })
  await expect.poll(() => library.calls).toBe(3)
  const began = Date.now()
  await preparation.stop()
  expect(Date.now() - began).toBeLessThan(1_000)
  expect(library.calls).toBe(3)
})
