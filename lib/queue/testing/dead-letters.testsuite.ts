import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker, Delivery, OutgoingMessage, Subscription } from "../types.ts"
import type { BrokerFixture, BrokerSetup } from "./fixture.ts"

const message = (stage: StageName, body: string): OutgoingMessage => ({ stage, body, id: randomUUID() })
const soon = { timeout: 5000, interval: 10 }

/** Tests the inspection of queues and the handling of dead letters. */
export const testDeadLetters = (setup: BrokerSetup) =>
  describe("queue inspection", () => {
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

    const refuse = async (...messages: OutgoingMessage[]): Promise<void> => {
      const stages = [...new Set(messages.map((m) => m.stage))]
      const subscriptions: Subscription[] = []
      for (const stage of stages)
        subscriptions.push(
          await broker.consume(stage, async (d) => ({ deadLetter: `no: ${d.body}` }), { concurrency: 1 }),
        )
      await broker.publish(messages)
      await vi.waitFor(async () => {
        expect(await broker.deadLetters({ limit: 1000 })).toHaveLength(messages.length)
        expect(Object.values(await broker.depth()).every((n) => n === 0)).toBe(true)
      }, soon)
      for (const subscription of subscriptions) await subscription.stop({ drainMs: 1000 })
    }

    it("counts waiting messages by stage, without those in flight, deferred or dead", async () => {
      expect(Object.keys(await broker.stats()).sort()).toEqual([...STAGE_NAMES].sort())
      let n = 0
      const subscription = await broker.consume(
        "l1",
        // The first is deferred, the second stays in flight.
        () => (++n === 1 ? Promise.resolve({ retryInMs: 60_000 }) : new Promise(() => {})),
        { concurrency: 1 },
      )
      await broker.publish([
        message("l1", "off"),
        message("l1", "in flight"),
        message("l1", "waits"),
        message("l2", ""),
      ])
      await vi.waitFor(async () => {
        expect(await broker.stats()).toMatchObject({ l1: { waiting: 1 }, l2: { waiting: 1 }, l0: { waiting: 0 } })
      }, soon)
      expect(await broker.depth()).toMatchObject({ l1: 3, l2: 1 })
      await subscription.stop({ drainMs: 0 })
    })

    it("lists dead letters with their reason repeatedly without removing them", async () => {
      const from = Date.now()
      const sent = [message("l1", "b"), message("persist", "c"), message("l1", "a")]
      await refuse(...sent)
      for (let i = 0; i < 30; i++) expect(await broker.deadLetters({ limit: 10 })).toHaveLength(3)
      const letters = await broker.deadLetters({ limit: 10 })
      expect(letters).toEqual(
        [sent[0]!, sent[2]!, sent[1]!].map((m) => ({ ...m, reason: `no: ${m.body}`, deadAt: expect.any(Number) })),
      )
      expect(letters[0]!.deadAt).toBeGreaterThanOrEqual(from)
      expect(await broker.deadLetters({ stage: "persist", limit: 10 })).toEqual([letters[2]])
      expect(await broker.deadLetters({ ids: [sent[2]!.id, "none"], limit: 10 })).toEqual([letters[1]])
      expect(await broker.deadLetters({ limit: 1 })).toEqual([letters[0]])
    })

    it("requeues selected dead letters", async () => {
      const sent = [message("l1", "a"), message("l1", "b"), message("l2", "c")]
      await refuse(...sent)
      expect(await broker.requeueDeadLetters({ ids: [sent[1]!.id] })).toBe(1)
      expect((await broker.stats()).l1.waiting).toBe(1)
      expect(await broker.requeueDeadLetters({ stage: "l1" })).toBe(1)
      expect(await broker.requeueDeadLetters({ stage: "l1" })).toBe(0)
      const seen: string[] = []
      await broker.consume(
        "l1",
        async ({ body }) => {
          seen.push(body)
          return "ack"
        },
        { concurrency: 4 },
      )
      // No order is promised.
      await vi.waitFor(() => expect(seen.toSorted()).toEqual(["a", "b"]), soon)
      expect((await broker.deadLetters({ limit: 10 })).map((d) => d.body)).toEqual(["c"])
      expect(await broker.requeueDeadLetters({})).toBe(1)
      await vi.waitFor(async () => expect(await broker.depth()).toMatchObject({ l1: 0, l2: 1 }), soon)
    })

    it("requeues each dead letter once beside a consumer that rejects it again", async () => {
      const sent = [message("l1", "a"), message("l1", "b")]
      await refuse(...sent)
      const seen: Delivery[] = []
      const subscription = await broker.consume(
        "l1",
        async (d) => {
          seen.push(d)
          return { deadLetter: "still invalid" }
        },
        { concurrency: 2 },
      )
      expect(await broker.requeueDeadLetters({})).toBe(2)
      await vi.waitFor(async () => expect(await broker.deadLetters({ limit: 10 })).toHaveLength(2), soon)
      expect(seen.map((d) => d.redelivered)).toEqual([false, false])
      await subscription.stop({ drainMs: 1000 })
    })

    it("drops selected dead letters", async () => {
      const sent = [message("l1", "a"), message("l1", "b"), message("l2", "c")]
      await refuse(...sent)
      expect(await broker.dropDeadLetters({ ids: [sent[1]!.id] })).toBe(1)
      expect((await broker.deadLetters({ limit: 10 })).map((d) => d.body)).toEqual(["a", "c"])
      expect(await broker.dropDeadLetters({ stage: "l1" })).toBe(1)
      expect(await broker.dropDeadLetters({})).toBe(1)
      expect(await broker.deadLetters({ limit: 10 })).toEqual([])
      expect(await broker.depth()).toMatchObject({ l1: 0, l2: 0 })
    })
  })
