import { setTimeout as sleep } from "node:timers/promises"
import { connect } from "amqplib"
import pino from "pino"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { openConsumerChannel } from "#lib/queue/amqp/consumer-channel.ts"
import { openAmqpBroker } from "#lib/queue/amqp/index.ts"
import { createTopology, EXCHANGE, queueName } from "#lib/queue/amqp/topology.ts"
import { PublishError } from "#lib/queue/publish-error.ts"
import type { Broker, Delivery } from "#lib/queue/types.ts"
import { emptyBroker, openConnected } from "../fixtures/amqp-broker.ts"
import { startCuttingProxy } from "../fixtures/cutting-proxy.ts"
import { type RabbitMq, startRabbitMq } from "../fixtures/rabbitmq.ts"

const log = createLogger("silent", "test")
/** Nothing listens on this port, as after a broker was killed. */
const NO_BROKER = "amqp://guest:guest@127.0.0.1:1"
const soon = { timeout: 15_000, interval: 20 }

describe("a RabbitMQ broker that fails", () => {
  let rabbit: RabbitMq
  beforeAll(async () => {
    rabbit = await startRabbitMq()
  })
  afterAll(() => rabbit.close())
  beforeEach(() => emptyBroker(rabbit.url))

  const open = async (): Promise<Broker> => {
    const broker = await openConnected(rabbit.url)
    onTestFinished(() => broker.close({ drainMs: 0 }))
    return broker
  }
  const collect = async (broker: Broker) => {
    const seen: Delivery[] = []
    await broker.consume(
      "l1",
      async (d) => {
        seen.push(d)
        return "ack"
      },
      { concurrency: 4 },
    )
    return seen
  }
  const send = (broker: Broker, ...ids: string[]) =>
    broker.publish(ids.map((id) => ({ stage: "l1" as const, id, body: "{}" })))
  /** A plain client, as a stranger on the same broker. */
  const stranger = async () => {
    const connection = await connect(rabbit.url)
    connection.on("error", () => {})
    onTestFinished(() => connection.close())
    const channel = await connection.createConfirmChannel()
    channel.on("error", () => {})
    return channel
  }

  it("is killed and restarted: keeps confirmed messages, consumers reconnect, and brokers opened meanwhile begin", async () => {
    const [publisher, consumer] = [await open(), await open()]
    const seen = await collect(consumer)
    await send(publisher, "before")
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    await publisher.publish([{ stage: "l2", id: "kept", body: "{}" }])
    await rabbit.kill("SIGKILL")
    await vi.waitFor(() => expect(consumer.health().state).toBe("down"), soon)
    await expect(send(publisher, "lost")).rejects.toMatchObject({ code: "unavailable", retry: "retry" })

    const late = openAmqpBroker({ urls: [rabbit.url], log })
    onTestFinished(() => late.close({ drainMs: 0 }))
    const seenLate: Delivery[] = []
    const take = async (delivery: Delivery) => {
      seenLate.push(delivery)
      return "ack" as const
    }
    await late.consume("persist", take, { concurrency: 1 })
    await vi.waitFor(() => expect(late.health()).toMatchObject({ state: "down" }), soon)
    expect(late.health().detail).not.toContain("guest")
    const from = Date.now()
    await expect(send(late, "early")).rejects.toMatchObject({ code: "unavailable" })
    await expect(late.depth()).rejects.toMatchObject({ code: "unavailable" })
    expect(Date.now() - from).toBeLessThan(6000)

    await rabbit.start()
    await vi.waitFor(() => send(publisher, "after"), soon)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toEqual(["before", "after"]), soon)
    expect(consumer.health().state).toBe("ok")
    // Each connection comes back in its own time; this one was not waited for yet.
    await vi.waitFor(async () => expect((await publisher.depth()).l2).toBe(1), soon)
    await vi.waitFor(() => late.publish([{ stage: "persist", id: "late", body: "{}" }]), soon)
    await vi.waitFor(() => expect(seenLate.map((d) => d.id)).toEqual(["late"]), soon)
  })

  it("has several addresses: the next is used if one does not answer or is lost", async () => {
    const second = await startCuttingProxy(Number(new URL(rabbit.url).port))
    const secondUrl = `amqp://guest:guest@127.0.0.1:${new URL(second.endpoint).port}`
    const broker = openAmqpBroker({ urls: [NO_BROKER, secondUrl, rabbit.url], log })
    onTestFinished(() => broker.close({ drainMs: 0 }))
    const seen = await collect(broker)
    await vi.waitFor(() => send(broker, "on the second"), soon)
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    expect(second.connections()).toBeGreaterThan(0)
    await second.close()
    await vi.waitFor(() => send(broker, "on the third"), soon)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toContain("on the third"), soon)
    expect(broker.health().state).toBe("ok")
  })

  it("is closed immediately while it is down", async () => {
    const broker = openAmqpBroker({ urls: [NO_BROKER], log })
    await collect(broker)
    const from = Date.now()
    await broker.close({ drainMs: 5000 })
    expect(Date.now() - from).toBeLessThan(3000)
  })

  it("deletes a queue with a consumer: it is declared again and consumed", async () => {
    const broker = await open()
    const seen = await collect(broker)
    await send(broker, "a")
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    await (await stranger()).deleteQueue(queueName("l1"))
    await vi.waitFor(() => send(broker, "b"), soon)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toContain("b"), soon)
  })

  it("has no queue for a message: publishing fails, and the next attempt declares the queue", async () => {
    const broker = await open()
    await send(broker, "a")
    await (await stranger()).deleteQueue(queueName("l1"))
    await expect(send(broker, "b")).rejects.toThrow(/no queue is bound to 'l1'/)
    await send(broker, "c")
    expect((await broker.depth()).l1).toBe(1)
  })

  it("has a queue with other arguments: the error says so until the queue is deleted", async () => {
    const channel = await stranger()
    await channel.assertQueue(queueName("l1"), { durable: true })
    const broker = openAmqpBroker({ urls: [rabbit.url], log })
    onTestFinished(() => broker.close({ drainMs: 0 }))
    const seen = await collect(broker)
    await vi.waitFor(() => expect(broker.health()).toMatchObject({ state: "degraded" }), soon)
    await vi.waitFor(() => expect(broker.health().detail).toMatch(/^l1: .*PRECONDITION.FAILED/), soon)
    await channel.deleteQueue(queueName("l1"))
    await vi.waitFor(() => send(broker, "a"), soon)
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    expect(broker.health().state).toBe("ok")
  })

  it("runs low on disk: publishing fails with a message, and queued messages are still processed", async () => {
    const [publisher, consumer] = [await open(), await open()]
    await publisher.publish(["a", "b"].map((id) => ({ stage: "l1" as const, id, body: "{}" })))
    await rabbit.ctl("set_disk_free_limit", "900GB")
    onTestFinished(() => rabbit.ctl("set_disk_free_limit", "50MB"))
    const seen = await collect(consumer)
    await vi.waitFor(() => expect(seen).toHaveLength(2), soon)
    await vi.waitFor(async () => expect((await consumer.depth()).l1).toBe(0), soon)
    await expect(send(publisher, "c")).rejects.toMatchObject({ code: "unavailable" })
    expect(publisher.health()).toMatchObject({ state: "degraded", detail: expect.stringContaining("disk") })
    const from = Date.now()
    await expect(send(publisher, "d")).rejects.toThrow(/low on disk/)
    expect(Date.now() - from).toBeLessThan(500)
    await rabbit.ctl("set_disk_free_limit", "50MB")
    await vi.waitFor(() => send(publisher, "e"), soon)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toContain("e"), soon)
  })

  it("does not fail: a normal life and shutdown log no warning", async () => {
    const told: string[] = []
    const loud = pino({ level: "warn" }, { write: (line: string) => void told.push(line) })
    const broker = openAmqpBroker({ urls: [rabbit.url], log: loud })
    const seen = await collect(broker)
    await send(broker, "a")
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    const held = await broker.consume("l2", () => new Promise(() => {}), { concurrency: 1 })
    await broker.publish([{ stage: "l2", id: "held", body: "{}" }])
    await vi.waitFor(async () => expect(await broker.stats()).toMatchObject({ l2: { waiting: 0 } }), soon)
    await held.stop({ drainMs: 10 })
    await broker.close({ drainMs: 1000 })
    expect(told).toEqual([])
  })

  it("has never been used: it has no dead letters and an empty queue", async () => {
    const broker = openAmqpBroker({ urls: [rabbit.url], log })
    onTestFinished(() => broker.close({ drainMs: 0 }))
    expect(await broker.deadLetters({ limit: 1 })).toEqual([])
    expect(await broker.requeueDeadLetters({})).toBe(0)
    expect((await broker.stats()).l1).toEqual({ waiting: 0, consumers: 0 })
  })

  it("closes every connection: consumers and publishers reconnect within seconds", async () => {
    const broker = await open()
    const seen = await collect(broker)
    await send(broker, "a")
    await vi.waitFor(() => expect(seen).toHaveLength(1), soon)
    await rabbit.ctl("close_all_connections", "for a test")
    await vi.waitFor(() => send(broker, "b"), soon)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toEqual(["a", "b"]), soon)
  })

  it("is cut off during a depth query: the query fails with a message, and the process continues", async () => {
    const unheard: unknown[] = []
    const hear = (reason: unknown) => void unheard.push(reason)
    process.on("unhandledRejection", hear)
    onTestFinished(() => void process.off("unhandledRejection", hear))
    const proxy = await startCuttingProxy(Number(new URL(rabbit.url).port))
    const broker = await openConnected(`amqp://guest:guest@127.0.0.1:${new URL(proxy.endpoint).port}`)
    onTestFinished(async () => {
      await broker.close({ drainMs: 0 })
      await proxy.close()
    })
    // Cut at another moment each time: while a channel is opened, while queues are asked for, between two of them.
    for (let ms = 0; ms < 10; ms++) {
      await vi.waitFor(() => broker.stats(), soon)
      const asked = Array.from({ length: 3 }, () => broker.stats())
      const told = Promise.allSettled(asked)
      await sleep(ms)
      proxy.state.cutAfter = 0
      await expect(broker.stats()).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
      for (const end of await told)
        if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "unavailable", retry: "retry" })
      proxy.state.cutAfter = Number.POSITIVE_INFINITY
    }
    await vi.waitFor(() => broker.stats(), soon)
    expect(unheard).toEqual([])
  })

  it("delivers foreign messages unchanged: without an ID, not text, of ten megabytes", async () => {
    const broker = await open()
    const sizes: number[] = []
    await broker.consume(
      "l1",
      async ({ id, body }) => {
        expect(id).not.toBe("")
        sizes.push(body.length)
        return { deadLetter: "a stranger's" }
      },
      { concurrency: 1 },
    )
    // Without its queue, the exchange drops a message of a publisher that does not ask for an error.
    await vi.waitFor(async () => expect((await broker.stats()).l1.consumers).toBe(1), soon)
    const channel = await stranger()
    for (const content of [Buffer.alloc(0), Buffer.from([0xff, 0xfe]), Buffer.alloc(10 * 2 ** 20, "x")])
      channel.publish(EXCHANGE, "l1", content)
    await channel.waitForConfirms()
    await vi.waitFor(() => expect(sizes).toEqual([0, 2, 10 * 2 ** 20]), { timeout: 60_000, interval: 100 })
    // Listing takes the letters out of the queue for a moment, and one of them has ten megabytes.
    const rarely = { timeout: 60_000, interval: 2000 }
    await vi.waitFor(async () => expect(await broker.deadLetters({ limit: 10 })).toHaveLength(3), rarely)
    await vi.waitFor(async () => expect((await broker.depth()).l1).toBe(0), soon)
  })
  it("has a queue that refuses messages: the error names those, and the others arrive", async () => {
    const broker = await open()
    await send(broker, "declares the queue")
    const policy = ["refuse", "^earmark.v1.l1$", '{"max-length":0,"overflow":"reject-publish"}', "--apply-to", "queues"]
    await rabbit.ctl("set_policy", ...policy)
    onTestFinished(() => rabbit.ctl("clear_policy", "refuse"))
    const messages = ["l1", "l2", "l1", "persist"] as const
    const batch = messages.map((stage, i) => ({ stage, id: `${i}`, body: "{}" }))
    await vi.waitFor(async () => {
      const error = await broker.publish(batch).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(PublishError)
      expect([...(error as PublishError).unconfirmed]).toEqual(["0", "2"])
    }, soon)
    const seen: string[] = []
    const handler = async ({ id }: Delivery) => {
      seen.push(id)
      return "ack" as const
    }
    await broker.consume("l2", handler, { concurrency: 1 })
    await vi.waitFor(() => expect(seen).toContain("1"), soon)
  })

  it("closes its connection while a message is processed: the worker takes no second one until it has ended", async () => {
    const [busy, idle] = [await open(), await open()]
    let inFlight = 0
    let most = 0
    const releases: (() => void)[] = []
    const held = async () => {
      most = Math.max(most, ++inFlight)
      await new Promise<void>((resolve) => releases.push(resolve))
      inFlight--
      return "ack" as const
    }
    await busy.consume("whisper", held, { concurrency: 1 })
    await busy.publish([{ stage: "whisper", id: "long", body: "{}" }])
    await vi.waitFor(() => expect(inFlight).toBe(1), soon)
    const taken: string[] = []
    const take = async ({ id }: Delivery) => {
      taken.push(id)
      return "ack" as const
    }
    await idle.consume("whisper", take, { concurrency: 1 })
    for (let cut = 0; cut < 3; cut++) {
      await rabbit.ctl("close_all_connections", "for a test")
      await vi.waitFor(() => idle.publish([{ stage: "whisper", id: `${cut}`, body: "{}" }]), soon)
      await vi.waitFor(() => expect(taken).toContain(`${cut}`), soon)
    }
    expect([inFlight, most]).toEqual([1, 1])
    for (const release of releases) release()
    await vi.waitFor(() => expect(inFlight).toBe(0), soon)
    // The worker has its full capacity again.
    await idle.close({ drainMs: 1000 })
    await busy.publish([{ stage: "whisper", id: "next", body: "{}" }])
    await vi.waitFor(() => expect(inFlight).toBe(1), soon)
    releases.at(-1)!()
  })

  it("acknowledges a deferred message only after its copy is confirmed", async () => {
    const connection = await connect(rabbit.url)
    connection.on("error", () => {})
    onTestFinished(() => connection.close())
    let confirm = () => {}
    const publishing = new Promise<void>((resolve) => {
      confirm = resolve
    })
    const handled: string[] = []
    const consumer = await openConsumerChannel(await connection.createChannel(), {
      stage: "l1",
      handler: async ({ id }) => {
        handled.push(id)
        return { retryInMs: 60_000 }
      },
      publish: () => publishing,
      report: () => undefined,
      topology: createTopology(),
      onSettled: () => undefined,
    })
    await consumer.grow(1)
    const broker = await open()
    await send(broker, "first", "second")
    await vi.waitFor(() => expect(handled).toEqual(["first"]), soon)
    await sleep(200)
    // An acknowledgement would let the broker deliver the second message.
    expect(handled).toEqual(["first"])
    confirm()
    await vi.waitFor(() => expect(handled).toEqual(["first", "second"]), soon)
  })

  it("lists dead letters behind one from a worker whose clock is ahead", async () => {
    const channel = await stranger()
    const broker = await open()
    await send(broker, "declares the queues")
    const [hour, now] = [Date.now() + 3_600_000, Date.now()]
    for (const [messageId, deadAt] of [["ahead", hour] as const, ["behind", now] as const])
      channel.publish(EXCHANGE, "l1.dead", Buffer.from("{}"), {
        messageId,
        headers: { "x-earmark-reason": "no", "x-earmark-dead-at": deadAt },
      })
    await channel.waitForConfirms()
    expect((await broker.deadLetters({ limit: 10 })).map((d) => d.id)).toEqual(["ahead", "behind"])
    expect(await broker.requeueDeadLetters({})).toBe(2)
  })
  it("removes a message at its delivery limit: the dead letter says so and can be requeued", async () => {
    const broker = await open()
    await broker.publish([{ stage: "l2", id: "declares the queue", body: "{}" }])
    await rabbit.ctl("set_policy", "limit", "^earmark.v1.l1$", '{"delivery-limit":1}', "--apply-to", "queues")
    onTestFinished(() => rabbit.ctl("clear_policy", "limit"))
    await send(broker, "unlucky")
    for (let deaths = 0; deaths < 2; deaths++) {
      const worker = await openConnected(rabbit.url)
      const delivered = new Promise<void>((resolve) => {
        void worker.consume("l1", () => new Promise(() => resolve()), { concurrency: 1 })
      })
      await delivered
      await worker.close({ drainMs: 0 })
    }
    const letter = { stage: "l1", id: "unlucky", body: "{}", reason: "dead-lettered by the broker: delivery_limit" }
    await vi.waitFor(async () => expect(await broker.deadLetters({ limit: 10 })).toEqual([letter]), soon)
    expect(await broker.requeueDeadLetters({})).toBe(1)
    const seen = await collect(broker)
    await vi.waitFor(() => expect(seen.map((d) => d.id)).toEqual(["unlucky"]), soon)
  })
})
