import { EventEmitter } from "node:events"
import type { Channel, ConsumeMessage } from "amqplib"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { DeliveryHandler } from "../types.ts"
import { openConsumerChannel } from "./consumer-channel.ts"

afterEach(() => {
  vi.useRealTimers()
})

const messageOf = (id: string) =>
  ({
    content: Buffer.from("{}"),
    properties: { messageId: id, headers: {} },
    fields: { redelivered: false },
  }) as unknown as ConsumeMessage

/** Opens a channel on a fake broker that hands out messages, and records what happens in order. */
const open = async (handler: DeliveryHandler = async () => "ack") => {
  const events: string[] = []
  let consume: (message: ConsumeMessage | null) => void = () => undefined
  const channel = Object.assign(new EventEmitter(), {
    prefetch: vi.fn(async () => undefined),
    consume: vi.fn(async (_queue: string, take: typeof consume) => {
      consume = take
      return { consumerTag: `tag ${channel.consume.mock.calls.length}` }
    }),
    ack: vi.fn((message: ConsumeMessage) => void events.push(`ack ${message.properties.messageId}`)),
    nack: vi.fn((message: ConsumeMessage, _all: boolean, requeue: boolean) => {
      events.push(`nack ${message.properties.messageId} ${requeue}`)
    }),
    cancel: vi.fn(async () => undefined),
    close: vi.fn(async () => undefined),
  })
  const publish = vi.fn(async ([copy]: readonly { key: string }[]) => void events.push(`publish ${copy!.key}`))
  const report = vi.fn()
  const onSettled = vi.fn()
  const topology = { declare: vi.fn(async () => undefined), forget: vi.fn() }
  const consumer = await openConsumerChannel(channel as unknown as Channel, {
    stage: "l1",
    handler,
    publish: publish as never,
    report,
    topology,
    onSettled,
  })
  await consumer.grow(2)
  const send = (message: ConsumeMessage | null) => consume(message)
  const settled = (times: number) => vi.waitFor(() => expect(onSettled).toHaveBeenCalledTimes(times))
  return { channel, consumer, events, publish, report, onSettled, topology, send, settled }
}

describe("a consumer channel", () => {
  it("declares the queues, limits each consumer, and acknowledges what is done", async () => {
    const t = await open()
    expect(t.topology.declare).toHaveBeenCalledWith(t.channel, "l1")
    expect([t.channel.prefetch.mock.calls, t.channel.consume.mock.calls[0]![0]]).toEqual([[[2]], "earmark.v1.l1"])
    t.send(messageOf("a"))
    expect(t.consumer.inFlightCount()).toBe(1)
    await t.settled(1)
    expect([t.events, t.consumer.inFlightCount(), t.report.mock.calls]).toEqual([["ack a"], 0, []])
  })

  it("publishes the copy of a deferred message before it acknowledges the message", async () => {
    const t = await open(async ({ id }) => (id === "a" ? { retryInMs: 5 } : { deadLetter: "why" }))
    t.send(messageOf("a"))
    await t.settled(1)
    t.send(messageOf("b"))
    await t.settled(2)
    expect(t.events).toEqual(["publish l1.later", "ack a", "publish l1.dead", "ack b"])
  })

  it("defers a message whose handler throws, and reports the error", async () => {
    const failure = new Error("a bug")
    const t = await open(() => Promise.reject(failure))
    t.send(messageOf("a"))
    await t.settled(1)
    expect([t.events, t.report.mock.calls]).toEqual([["publish l1.later", "ack a"], [[failure]]])
    expect(t.publish.mock.calls[0]![0]).toMatchObject([{ expiresInMs: 500 }])
  })

  it("returns a message to its queue after a second if its copy cannot be published", async () => {
    const t = await open(async () => ({ retryInMs: 5 }))
    const failure = new Error("no route")
    t.publish.mockRejectedValueOnce(failure)
    const from = performance.now()
    t.send(messageOf("a"))
    await vi.waitFor(() => expect(t.onSettled).toHaveBeenCalledOnce(), { timeout: 5000 })
    expect(performance.now() - from).toBeGreaterThan(900)
    expect([t.events, t.report.mock.calls]).toEqual([["nack a true"], [[failure]]])
  })

  it("settles nothing on a closed channel, whose messages other consumers get", async () => {
    let finish: () => void = () => undefined
    const t = await open(() => new Promise((resolve) => (finish = () => resolve("ack"))))
    t.send(messageOf("a"))
    t.channel.emit("close")
    await t.consumer.ended
    finish()
    await t.settled(1)
    expect(t.events).toEqual([])
    await t.consumer.stop()
    await t.consumer.close()
    expect([t.channel.cancel.mock.calls, t.channel.close.mock.calls]).toEqual([[], []])
  })

  it("reports a failed acknowledgement and an error of the channel", async () => {
    const t = await open()
    const failures = [new Error("closing"), new Error("reset")]
    t.channel.ack.mockImplementationOnce(() => {
      throw failures[0]
    })
    t.send(messageOf("a"))
    await t.settled(1)
    t.channel.emit("error", failures[1])
    expect(t.report.mock.calls.flat()).toEqual(failures)
  })

  it("ends when its queue is deleted, whose binding is gone", async () => {
    const t = await open()
    t.send(null)
    await t.consumer.ended
    expect(t.topology.forget.mock.calls).toEqual([["l1"]])
  })

  it("stops once: it cancels its consumers, returns new messages, and waits for those in flight", async () => {
    let finish: () => void = () => undefined
    const t = await open(() => new Promise((resolve) => (finish = () => resolve("ack"))))
    await t.consumer.grow(1)
    t.send(messageOf("a"))
    let hasStopped = false
    const stopping = Promise.all([t.consumer.stop(), t.consumer.stop()]).then(() => {
      hasStopped = true
    })
    t.send(messageOf("b"))
    await new Promise((resolve) => setImmediate(resolve))
    expect([hasStopped, t.events]).toEqual([false, ["nack b true"]])
    finish()
    await stopping
    expect(t.events).toEqual(["nack b true", "ack a"])
    expect(t.channel.cancel.mock.calls).toEqual([["tag 1"], ["tag 2"]])
    await t.consumer.close()
    expect(t.channel.close).toHaveBeenCalledOnce()
  })
})
