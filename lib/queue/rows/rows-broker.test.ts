import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { STAGE_NAMES } from "../../domain/jobs/stages.ts"
import type { Delivery, DeliveryHandler } from "../types.ts"
import { createRowsBroker } from "./broker.ts"
import { clampDelayMs, type Exchange, mapStages, type Queue, type Receipt, toDeadLetters } from "./queue.ts"
import { subscribe } from "./subscription.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const POLL_MS = 50
const VISIBILITY_MS = 9000

/** A queue of messages in memory that records what subscriptions ask it. */
const createQueue = () => {
  const waiting: Receipt[] = []
  const state = {
    exchanges: [] as { stage: string; settled: Exchange["settled"]; limit: number; visibilityMs: number }[],
    extended: [] as { receipt: string; visibilityMs: number }[],
    error: null as Error | null,
  }
  const queue = {
    exchange: async ({ stage, settled, limit, visibilityMs }: Exchange) => {
      state.exchanges.push({ stage, settled, limit: limit(), visibilityMs })
      if (state.error) throw state.error
      return waiting.splice(0, limit())
    },
    extend: async (receipt: string, visibilityMs: number) => {
      state.extended.push({ receipt, visibilityMs })
      if (state.error) throw state.error
    },
    insert: async () => {
      if (state.error) throw state.error
    },
    requeueDeadLetters: async () => 3,
    watch: vi.fn(() => () => undefined),
    ping: () => {
      if (state.error) throw state.error
    },
  } as Partial<Queue> as Queue
  const add = (id: string, deliveries = 1) =>
    waiting.push({ delivery: { stage: "l1", id, body: "{}", redelivered: false }, receipt: `r-${id}`, deliveries })
  const settled = () => state.exchanges.flatMap((exchange) => exchange.settled)
  return { queue, state, add, settled }
}

const start = (handler: DeliveryHandler, concurrency = 2) => {
  const q = createQueue()
  const reports: unknown[] = []
  const report = (failure: unknown) => void reports.push(failure)
  const options = { pollMs: POLL_MS, visibilityMs: VISIBILITY_MS, report }
  return { ...q, reports, subscription: subscribe(q.queue, "l1", handler, { concurrency }, options) }
}
/** Lets timers that are due, and what they started, take effect. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe("a subscription", () => {
  it("polls at its interval, and later after a failure", async () => {
    const { state, reports, subscription } = start(async () => "ack")
    await pass(0)
    expect(state.exchanges).toEqual([{ stage: "l1", settled: [], limit: 2, visibilityMs: VISIBILITY_MS }])
    await pass(POLL_MS - 1)
    expect(state.exchanges).toHaveLength(1)
    await pass(1)
    expect(state.exchanges).toHaveLength(2)
    state.error = new Error("locked")
    await pass(POLL_MS)
    expect(reports).toEqual([null, null, state.error])
    state.error = null
    await pass(999)
    expect(state.exchanges).toHaveLength(3)
    await pass(1)
    expect([state.exchanges.length, reports.at(-1)]).toEqual([4, null])
    await subscription.stop({ drainMs: 10 })
    await pass(5000)
    expect(state.exchanges).toHaveLength(4)
  })

  it("takes no more messages than it may handle, and settles each with its receipt", async () => {
    const release: (() => void)[] = []
    const { state, add, settled, subscription } = start(
      () => new Promise((resolve) => release.push(() => resolve("ack"))),
    )
    for (const id of ["a", "b", "c"]) add(id)
    await pass(0)
    expect(release).toHaveLength(2)
    await pass(POLL_MS)
    expect(state.exchanges.at(-1)!.limit).toBe(0)
    release[1]!()
    await pass(0)
    expect(settled()).toEqual([{ receipt: "r-b", settlement: "ack" }])
    expect([state.exchanges.at(-1)!.limit, release.length]).toEqual([1, 3])
    release[0]!()
    release[2]!()
    await pass(0)
    expect(settled().map(({ receipt }) => receipt)).toEqual(["r-b", "r-a", "r-c"])
    await subscription.stop({ drainMs: 10 })
  })

  it.each([
    [1, 500],
    [2, 1000],
    [6, 16_000],
    [7, 30_000],
    [5000, 30_000],
  ])("delivers a message again after an error, the %dth time after %d ms", async (deliveries, retryInMs) => {
    const failure = new Error("a bug")
    const { add, settled, reports, subscription } = start(() => Promise.reject(failure))
    add("a", deliveries)
    await pass(0)
    expect(settled()).toEqual([{ receipt: "r-a", settlement: { retryInMs } }])
    expect(reports).toContain(failure)
    await subscription.stop({ drainMs: 10 })
  })

  it("extends a message three times within its time while its handler runs", async () => {
    let finish = () => {}
    const { state, add, reports, subscription } = start(() => new Promise((resolve) => (finish = () => resolve("ack"))))
    add("a")
    await pass(0)
    await pass(VISIBILITY_MS / 3 - 1)
    expect(state.extended).toEqual([])
    await pass(1)
    expect(state.extended).toEqual([{ receipt: "r-a", visibilityMs: VISIBILITY_MS }])
    await pass((2 * VISIBILITY_MS) / 3)
    expect(state.extended).toHaveLength(3)
    state.error = new Error("locked")
    await pass(VISIBILITY_MS / 3)
    expect(reports.at(-1)).toBe(state.error)
    state.error = null
    finish()
    await pass(VISIBILITY_MS)
    expect(state.extended).toHaveLength(4)
    await subscription.stop({ drainMs: 10 })
  })

  it("polls at once when it is woken, and once more if that happens during a poll", async () => {
    const { state, subscription, add, queue } = start(async () => "ack")
    await pass(0)
    subscription.wake()
    subscription.wake()
    await pass(0)
    expect(state.exchanges).toHaveLength(2)
    const exchange = queue.exchange
    let finish = () => {}
    queue.exchange = async (p) => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return exchange(p)
    }
    subscription.wake()
    await pass(0)
    add("a")
    subscription.wake()
    await pass(0)
    queue.exchange = exchange
    finish()
    await pass(0)
    expect(state.exchanges.length).toBeGreaterThanOrEqual(4)
    await subscription.stop({ drainMs: 10 })
    const polls = state.exchanges.length
    subscription.wake()
    await pass(1000)
    expect(state.exchanges).toHaveLength(polls)
  })

  it("waits at its end for messages in flight, settles them, and takes no others", async () => {
    let finish = () => {}
    const { add, settled, state, subscription } = start(() => new Promise((resolve) => (finish = () => resolve("ack"))))
    add("a")
    await pass(0)
    let hasStopped = false
    const stopping = subscription.stop({ drainMs: 60_000 }).then(() => {
      hasStopped = true
    })
    await pass(10)
    expect(hasStopped).toBe(false)
    add("b")
    finish()
    await stopping
    expect(settled()).toEqual([{ receipt: "r-a", settlement: "ack" }])
    expect(state.exchanges.at(-1)!.limit).toBe(0)
  })

  it("stops waiting after the drain time, and extends the message no longer", async () => {
    const { add, state, subscription } = start(() => new Promise(() => {}))
    add("a")
    await pass(0)
    await subscription.stop({ drainMs: 1 })
    await pass(VISIBILITY_MS)
    expect(state.extended).toEqual([])
  })
})

describe("a broker on rows", () => {
  const open = () => {
    const q = createQueue()
    let time = 7000
    const broker = createRowsBroker("rows", q.queue, { pollMs: 60_000, now: () => time })
    const setTime = (value: number) => {
      time = value
    }
    return { ...q, broker, setTime }
  }
  const message = { stage: "l1", id: "a", body: "{}" } as const

  it("wakes the consumers of the stages that it publishes, and all after a requeue", async () => {
    const { broker, state } = open()
    await broker.consume("l1", async () => "ack", { concurrency: 1 })
    await broker.consume("l2", async () => "ack", { concurrency: 1 })
    await pass(0)
    const stages = () => state.exchanges.splice(0).map(({ stage }) => stage)
    expect(stages()).toEqual(["l1", "l2"])
    await broker.publish([message])
    await pass(0)
    expect(stages()).toEqual(["l1"])
    expect(await broker.requeueDeadLetters({})).toBe(3)
    await pass(0)
    expect(stages()).toEqual(["l1", "l2"])
    await broker.close({ drainMs: 10 })
    await broker.publish([message])
    await pass(60_000)
    expect(stages()).toEqual([])
  })

  it("stops one consumer, and what the database reports to it", async () => {
    const { broker, queue, state } = open()
    const unwatch = vi.fn()
    let report = () => {}
    queue.watch = (wake) => {
      report = wake
      return unwatch
    }
    const subscription = await broker.consume("l1", async () => "ack", { concurrency: 1 })
    await pass(0)
    report()
    await pass(0)
    expect(state.exchanges).toHaveLength(2)
    await subscription.stop({ drainMs: 10 })
    expect(unwatch).toHaveBeenCalledOnce()
    await broker.publish([message])
    await pass(0)
    expect(state.exchanges).toHaveLength(2)
  })

  it("reports its health with the time of its last activity", async () => {
    const { broker, state, add, setTime } = open()
    expect(broker.health()).toEqual({ state: "ok" })
    await broker.publish([message])
    expect(broker.health()).toEqual({ state: "ok", lastActivityAt: 7000 })
    state.error = new Error("locked")
    expect(broker.health()).toEqual({ state: "down", detail: "locked", lastActivityAt: 7000 })
    const failing = broker.publish([message])
    await expect(failing).rejects.toThrow("locked")
    await broker.consume("l1", () => Promise.reject(new Error("a bug")), { concurrency: 1 })
    await pass(0)
    state.error = null
    expect(broker.health()).toEqual({ state: "degraded", detail: "locked", lastActivityAt: 7000 })
    setTime(9000)
    add("a")
    await pass(1000)
    expect(broker.health()).toMatchObject({ lastActivityAt: 9000 })
    await broker.close({ drainMs: 10 })
  })

  it("records an activity when a delivery begins and when it is settled", async () => {
    const { broker, add, setTime } = open()
    let settle = () => {}
    const handler = (_: Delivery) => new Promise<"ack">((resolve) => (settle = () => resolve("ack")))
    add("a")
    await broker.consume("l1", handler, { concurrency: 1 })
    await pass(0)
    expect(broker.health().lastActivityAt).toBe(7000)
    setTime(8000)
    settle()
    await pass(0)
    expect(broker.health().lastActivityAt).toBe(8000)
    await broker.close({ drainMs: 10 })
  })
})

describe("rows of a queue", () => {
  it("have whole delays from zero to ten minutes", () => {
    expect([-5, 0, 1.6, 600_000, 600_001].map(clampDelayMs)).toEqual([0, 0, 2, 600_000, 600_000])
  })

  it("become dead letters in the order of the stages, up to a limit", () => {
    const row = (stage: "whisper" | "l1", id: string, deadAt: number) => ({
      stage,
      id,
      body: "{",
      deadReason: "no",
      deadAt,
    })
    const rows = [row("l1", "a", 1), row("whisper", "b", 2), row("l1", "c", 3)]
    expect(toDeadLetters(rows, 2)).toEqual([
      { stage: "whisper", id: "b", body: "{", reason: "no", deadAt: 2 },
      { stage: "l1", id: "a", body: "{", reason: "no", deadAt: 1 },
    ])
    expect(toDeadLetters(rows, 9).map(({ id }) => id)).toEqual(["b", "a", "c"])
  })

  it("have a value per stage", () => {
    expect(mapStages((stage) => stage.length)).toEqual(
      Object.fromEntries(STAGE_NAMES.map((stage) => [stage, stage.length])),
    )
  })
})
