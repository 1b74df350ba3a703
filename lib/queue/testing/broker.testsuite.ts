import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker, Delivery, OutgoingMessage, Settlement } from "../types.ts"
import { testDeadLetters } from "./dead-letters.testsuite.ts"
import type { BrokerFixture, BrokerSetup } from "./fixture.ts"

const message = (stage: StageName, body = "{}"): OutgoingMessage => ({ stage, body, id: randomUUID() })
const soon = { timeout: 15_000, interval: 5 }

/** Tests the requirements of every `Broker` implementation. `setup` creates empty queues for each test. */
export const testBroker = (name: string, setup: BrokerSetup) =>
  describe(`${name} as a broker`, () => {
    let f: BrokerFixture
    let broker: Broker
    beforeEach(async () => {
      f = await setup()
      broker = await f.open()
    })
    afterEach(async () => {
      await broker.close({ drainMs: 0 })
      await f.teardown()
    })

    /** Consumes into a list; each delivery is settled as `settle` says, by default acked. */
    const collect = async (
      stage: StageName,
      settle: (d: Delivery) => Settlement | Promise<Settlement> = () => "ack",
      { on = broker, concurrency = 4 } = {},
    ) => {
      const seen: Delivery[] = []
      const subscription = await on.consume(
        stage,
        async (d) => {
          seen.push(d)
          return settle(d)
        },
        { concurrency },
      )
      return { seen, subscription }
    }

    it("delivers earlier and later messages unchanged and only to their stage", async () => {
      const before = message("l1", 'not JSON: "é" \n 🎧')
      await broker.publish([before, message("l2")])
      const { seen } = await collect("l1")
      const after = message("l1", "")
      await broker.publish([after])
      await vi.waitFor(() => expect(seen).toHaveLength(2), soon)
      expect(seen).toEqual([before, after].map((m) => ({ ...m, redelivered: false })))
      await vi.waitFor(async () => expect(await broker.depth()).toMatchObject({ l1: 0, l2: 1 }), soon)
    })

    it("reaches consumers of other processes", async () => {
      const other = await f.open()
      const { seen } = await collect("persist", undefined, { on: other })
      await broker.publish([message("persist")])
      await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
      await other.close({ drainMs: 1000 })
    })

    it("keeps messages while there is no consumer", async () => {
      const kept = message("whisper")
      await broker.publish([kept])
      await broker.close({ drainMs: 0 })
      const later = await f.open()
      const { seen } = await collect("whisper", undefined, { on: later })
      await vi.waitFor(() => expect(seen.map((d) => d.id)).toEqual([kept.id]), soon)
      await later.close({ drainMs: 1000 })
    })

    it("distributes messages between consumers and acknowledges each once", async () => {
      const other = await f.open()
      const [a, b] = [await collect("decide"), await collect("decide", undefined, { on: other })]
      const sent = Array.from({ length: 300 }, () => message("decide"))
      await broker.publish(sent.slice(0, 150))
      await other.publish(sent.slice(150))
      await vi.waitFor(() => expect(a.seen.length + b.seen.length).toBe(300), soon)
      await wait(100)
      expect([...a.seen, ...b.seen].map((d) => d.id).sort()).toEqual(sent.map((m) => m.id).sort())
      await other.close({ drainMs: 1000 })
    })

    it("never exceeds the concurrency and delivers more as messages are settled", async () => {
      let now = 0
      let most = 0
      const { seen } = await collect(
        "l2",
        async (): Promise<Settlement> => {
          most = Math.max(most, ++now)
          await wait(5)
          now--
          return "ack"
        },
        { concurrency: 3 },
      )
      await broker.publish(Array.from({ length: 30 }, () => message("l2")))
      await vi.waitFor(() => expect(seen).toHaveLength(30), soon)
      expect(most).toBe(3)
    })

    it("redelivers after the delay that the handler requested", async () => {
      const at: number[] = []
      const { seen } = await collect("l0", () => {
        at.push(Date.now())
        return at.length < 3 ? { retryInMs: 200 } : "ack"
      })
      await broker.publish([message("l0")])
      await vi.waitFor(() => expect(seen).toHaveLength(3), soon)
      expect(seen.map((d) => d.redelivered)).toEqual([false, true, true])
      expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(195)
      await vi.waitFor(async () => expect((await broker.depth()).l0).toBe(0), soon)
    })

    it("limits an excessive delay", async () => {
      const { seen } = await collect("l0", () => ({ retryInMs: 86_400_000 }))
      await broker.publish([message("l0")])
      await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
      await wait(300)
      expect(seen).toHaveLength(1)
      expect((await broker.stats()).l0.waiting).toBe(0)
    })

    it("redelivers a message whose handler threw", async () => {
      const { seen } = await collect("l0", (d) => {
        if (!d.redelivered) throw new Error("the handler broke")
        return "ack"
      })
      await broker.publish([message("l0")])
      await vi.waitFor(() => expect(seen).toHaveLength(2), soon)
      expect(seen[1]?.redelivered).toBe(true)
    })

    it("delivers other messages after a dead letter", async () => {
      const { seen } = await collect("l1", (d) => (d.body === "bad" ? { deadLetter: "not a message" } : "ack"), {
        concurrency: 1,
      })
      await broker.publish([message("l1", "bad"), message("l1", "good")])
      await vi.waitFor(() => expect(seen.map((d) => d.body).sort()).toEqual(["bad", "good"]), soon)
      await vi.waitFor(async () => expect((await broker.depth()).l1).toBe(0), soon)
      await wait(100)
      expect(seen).toHaveLength(2)
    })

    it("counts waiting and in-flight messages by stage", async () => {
      expect(Object.keys(await broker.depth()).sort()).toEqual([...STAGE_NAMES].sort())
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const { seen } = await collect("summarize_l1", () => held.then(() => "ack" as const), { concurrency: 1 })
      await broker.publish([message("summarize_l1"), message("summarize_l1"), message("summarize_l2")])
      await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
      expect(await broker.depth()).toMatchObject({ summarize_l1: 2, summarize_l2: 1, l1: 0 })
      release()
      await vi.waitFor(async () => expect((await broker.depth()).summarize_l1).toBe(0), soon)
    })

    it("accepts a repeated ID and an empty list", async () => {
      const twice = message("l1")
      await broker.publish([])
      await broker.publish([twice, twice])
      await broker.publish([twice])
      const { seen } = await collect("l1")
      await vi.waitFor(() => expect(seen.map((d) => d.id)).toContain(twice.id), soon)
      await vi.waitFor(async () => expect((await broker.depth()).l1).toBe(0), soon)
    })

    it("keeps a message hidden for as long as its handler runs", async () => {
      const other = await f.open()
      const held = f.redeliveryMs * 2
      const settle = () => wait(held, "ack" as const)
      const [a, b] = [await collect("whisper", settle), await collect("whisper", settle, { on: other })]
      await broker.publish([message("whisper")])
      await vi.waitFor(async () => expect((await broker.depth()).whisper).toBe(0), { ...soon, timeout: held + 5000 })
      expect(a.seen.length + b.seen.length).toBe(1)
      await other.close({ drainMs: 0 })
    })

    it("takes nothing new when stopped, waits for messages in flight and leaves the rest to others", async () => {
      let finished = 0
      const { seen, subscription } = await collect(
        "l1",
        async (): Promise<Settlement> => {
          await wait(150)
          finished++
          return "ack"
        },
        { concurrency: 2 },
      )
      await broker.publish(Array.from({ length: 5 }, () => message("l1")))
      await vi.waitFor(() => expect(seen).toHaveLength(2), soon)
      await subscription.stop({ drainMs: 5000 })
      expect(finished).toBe(2)
      expect((await broker.depth()).l1).toBe(3)
      await broker.publish([message("l1")])
      await wait(100)
      expect(seen).toHaveLength(2)
      const rest = await collect("l1")
      await vi.waitFor(() => expect(rest.seen).toHaveLength(4), soon)
    })

    it("stops waiting after the drain time and redelivers unsettled messages to others", async () => {
      const { seen } = await collect("l1", () => new Promise<Settlement>(() => {}))
      await broker.publish([message("l1")])
      await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
      const from = Date.now()
      await broker.close({ drainMs: 50 })
      expect(Date.now() - from).toBeLessThan(2000)
      const other = await f.open()
      const again = await collect("l1", undefined, { on: other })
      await vi.waitFor(() => expect(again.seen).toHaveLength(1), { ...soon, timeout: f.redeliveryMs + 5000 })
      expect(again.seen[0]?.redelivered).toBe(true)
      await other.close({ drainMs: 1000 })
    })

    it("reports its health and its last activity", async () => {
      expect(broker.kind).toMatch(/^\w+$/)
      expect(broker.health()).toEqual({ state: "ok" })
      const from = Date.now()
      await broker.publish([message("l1")])
      expect(broker.health()).toMatchObject({ state: "ok" })
      expect(broker.health().lastActivityAt).toBeGreaterThanOrEqual(from)
    })

    testDeadLetters(setup)
  })
