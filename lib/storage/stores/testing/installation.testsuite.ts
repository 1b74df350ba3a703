import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StoreFixture, StoreSetup } from "./fixtures.ts"

export const testInstallation = (setup: StoreSetup) =>
  describe("the installation", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("keeps the first choice of each kind for all processes", async () => {
      const other = await f.another()
      const first = await f.store.installation.recordChoice({ kind: "provider", value: "builtin", reason: "no Ollama" })
      expect(first).toEqual({ kind: "provider", value: "builtin", reason: "no Ollama", chosen_at: f.clock.now() })
      f.clock.advance(5)
      expect(await other.installation.recordChoice({ kind: "provider", value: "ollama", reason: "found" })).toEqual(
        first,
      )
      await other.installation.recordChoice({ kind: "speech", value: "pocketsphinx", reason: "installed" })
      expect((await f.store.installation.listChoices()).map((c) => c.kind).sort()).toEqual(["provider", "speech"])
      expect((await f.store.installation.listChoices()).find((c) => c.kind === "provider")).toEqual(first)
    })

    it("overwrites or removes a choice on request", async () => {
      await f.store.installation.recordChoice({ kind: "embedder", value: "a", reason: "first" })
      f.clock.advance(5)
      await f.store.installation.setChoice("embedder", { value: "b", reason: "asked for" })
      expect(await f.store.installation.listChoices()).toEqual([
        { kind: "embedder", value: "b", reason: "asked for", chosen_at: f.clock.now() },
      ])
      await f.store.installation.setChoice("embedder", null)
      await f.store.installation.setChoice("embedder", null)
      expect(await f.store.installation.listChoices()).toEqual([])
    })

    it("lists the workers with a recent heartbeat", async () => {
      const worker = { host: "h", version: null, stages: ["l1", "l2"] as const, started_at: 5, active_at: null }
      await f.store.installation.recordHeartbeat({ ...worker, id: "old", pid: 1 })
      f.clock.advance(10_000)
      await f.store.installation.recordHeartbeat({ ...worker, id: "new", pid: 2 })
      await f.store.installation.recordHeartbeat({ ...worker, id: "new", pid: 2, active_at: 77, version: "1.2.3" })
      const seen_at = f.clock.now()
      expect(await f.store.installation.listWorkers({ aliveWithinMs: 9999 })).toEqual([
        { ...worker, id: "new", pid: 2, version: "1.2.3", active_at: 77, seen_at },
      ])
      expect(await f.store.installation.listWorkers({ aliveWithinMs: 10_000 })).toHaveLength(2)
      await f.store.installation.deregisterWorker("new")
      await f.store.installation.deregisterWorker("new")
      expect((await f.store.installation.listWorkers({ aliveWithinMs: 60_000 })).map((w) => w.id)).toEqual(["old"])
    })

    it("returns the time of the clock that it writes with", async () => {
      expect(await f.store.now()).toBe(f.clock.now())
      f.clock.advance(3_600_000)
      expect(await f.store.now()).toBe(f.clock.now())
    })

    it("answers a ping", async () => {
      await expect(f.store.ping()).resolves.toBeUndefined()
    })
  })
