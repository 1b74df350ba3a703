import type { Channel } from "amqplib"
import { describe, expect, it, vi } from "vitest"
import { createTopology, queueName, routingKey, stageOfKey } from "./topology.ts"

const createChannel = () => {
  const channel = {
    assertExchange: vi.fn(async () => undefined),
    assertQueue: vi.fn(async () => ({ messageCount: 0, consumerCount: 0 })),
    bindQueue: vi.fn(async () => undefined),
  }
  return channel as typeof channel & Channel
}

describe("the queues of a stage", () => {
  it("are durable quorum queues: one for work, one whose messages expire into it, one for dead letters", async () => {
    const channel = createChannel()
    await createTopology().declare(channel, "l1")
    expect(channel.assertExchange.mock.calls).toEqual([["earmark.v1", "direct", { durable: true }]])
    const quorum = { "x-queue-type": "quorum" }
    const into = (key: string) => ({
      ...quorum,
      "x-dead-letter-exchange": "earmark.v1",
      "x-dead-letter-routing-key": key,
    })
    expect(channel.assertQueue.mock.calls).toEqual([
      ["earmark.v1.l1", { durable: true, arguments: into("l1.dead") }],
      ["earmark.v1.l1.later", { durable: true, arguments: into("l1") }],
      ["earmark.v1.l1.dead", { durable: true, arguments: { ...quorum, "x-delivery-limit": 1_000_000 } }],
    ])
    expect(channel.bindQueue.mock.calls).toEqual([
      ["earmark.v1.l1", "earmark.v1", "l1"],
      ["earmark.v1.l1.later", "earmark.v1", "l1.later"],
      ["earmark.v1.l1.dead", "earmark.v1", "l1.dead"],
    ])
  })

  it("are bound once, and again after one was deleted or if it failed", async () => {
    const channel = createChannel()
    const topology = createTopology()
    channel.bindQueue.mockRejectedValueOnce(new Error("no majority"))
    await expect(topology.declare(channel, "l1")).rejects.toThrow("no majority")
    for (const stage of ["l1", "l1", "l2"] as const) await topology.declare(channel, stage)
    expect(channel.bindQueue).toHaveBeenCalledTimes(9)
    expect(channel.assertQueue).toHaveBeenCalledTimes(12)
    topology.forget("l1")
    for (const stage of ["l1", "l2"] as const) await topology.declare(channel, stage)
    expect(channel.bindQueue).toHaveBeenCalledTimes(12)
  })

  it("have routing keys from which the stage can be read", () => {
    for (const kind of ["", ".later", ".dead"] as const) {
      expect(stageOfKey(routingKey("summarize_l1", kind))).toBe("summarize_l1")
      expect(queueName("whisper", kind)).toBe(`earmark.v1.whisper${kind}`)
    }
    expect(() => stageOfKey("l1.other")).toThrow("no queue has the routing key 'l1.other'")
  })
})
