import { describe, expect, it } from "vitest"
import { createLogger } from "../lib/platform/logger.ts"
import type { OutboxMessage } from "../lib/storage/stores/ports/outbox.ts"
import { startRelay } from "./relay.ts"

/** An outbox and a broker, in memory, with a lease that one owner can have. */
const setUp = (count: number) => {
  const outbox: OutboxMessage[] = Array.from({ length: count }, (_, i) => ({ id: `${i}`, stage: "l1", body: "{}" }))
  const published: string[][] = []
  /** `cut`: who does not reach the broker. */
  const world = { holder: null as string | null, cut: new Set<string>() }
  const start = (owner: string) =>
    startRelay({
      outbox: {
        acquireLease: async (p) => {
          world.holder ??= p.owner
          return world.holder === p.owner
        },
        releaseLease: async (p) => {
          if (world.holder === p.owner) world.holder = null
        },
        watch: () => null,
        listDue: async (limit) => outbox.slice(0, limit),
        markPublished: async (ids) =>
          void outbox.splice(0, outbox.length, ...outbox.filter((m) => !ids.includes(m.id))),
      },
      broker: {
        publish: async (messages) => {
          if (world.cut.has(owner)) throw new Error("down")
          published.push(messages.map((m) => m.id))
        },
      },
      owner,
      leaseMs: 60,
      log: createLogger("silent", "test"),
    })
  return { outbox, published, world, start }
}

describe("the relay", () => {
  it("publishes what is due, oldest first and a hundred at a time, before it marks it", async () => {
    const { outbox, published, start } = setUp(250)
    const relay = start("a")
    await expect.poll(() => outbox.length).toBe(0)
    await relay.stop()
    expect(published.map((p) => p.length)).toEqual([100, 100, 50])
    expect(published.flat()).toEqual(Array.from({ length: 250 }, (_, i) => `${i}`))
  })

  it("keeps a message that the broker has not taken", async () => {
    const { outbox, published, world, start } = setUp(1)
    world.cut.add("a")
    const relay = start("a")
    await expect.poll(() => world.holder).toBe("a")
    expect(outbox).toHaveLength(1)
    world.cut.clear()
    await relay.stop()
    expect(published).toEqual([["0"]])
    expect(outbox).toEqual([])
  })

  it("leaves its place to another when it does not reach the broker", async () => {
    const { outbox, published, world, start } = setUp(1)
    world.cut.add("a")
    const first = start("a")
    await expect.poll(() => world.holder).toBe("a")
    const second = start("b")
    await expect.poll(() => published).toEqual([["0"]])
    expect(outbox).toEqual([])
    await second.stop()
    await first.stop()
  })

  it("does nothing while another is active, and takes over when that one ends", async () => {
    const { outbox, published, world, start } = setUp(0)
    const first = start("a")
    await expect.poll(() => world.holder).toBe("a")
    const second = start("b")
    await first.stop()
    expect(published).toEqual([])
    outbox.push({ id: "late", stage: "l2", body: "{}" })
    await expect.poll(() => published).toEqual([["late"]])
    expect(world.holder).toBe("b")
    await second.stop()
    expect(world.holder).toBeNull()
  })
})
