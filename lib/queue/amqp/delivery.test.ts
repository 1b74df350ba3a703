import type { ConsumeMessage } from "amqplib"
import { describe, expect, it } from "vitest"
import { retryDelayMs, toDeadLetter, toDelivery, toEnvelope } from "./delivery.ts"

const messageOf = (headers: Record<string, unknown> | undefined = undefined, redelivered = false) =>
  ({
    content: Buffer.from('{"a":"ü"}'),
    properties: { messageId: "m", headers },
    fields: { redelivered },
  }) as unknown as ConsumeMessage
const deferred = (times: unknown) => messageOf({ "x-earmark-put-off": times })

describe("a delivery", () => {
  it("has the stage, the ID and the text of the message", () => {
    expect(toDelivery("l1", messageOf())).toEqual({ stage: "l1", id: "m", body: '{"a":"ü"}', redelivered: false })
  })

  it.each([
    [messageOf({}, true), true],
    [deferred(1), true],
    [deferred(0), false],
    [deferred("no number"), false],
    [deferred(-1), false],
  ])("is a repeated one if the broker or a deferral repeats it (%#)", (message, redelivered) => {
    expect(toDelivery("l1", message).redelivered).toBe(redelivered)
  })

  it("gets an ID if another program gave it none", () => {
    const message = messageOf()
    const { id } = toDelivery("l1", { ...message, properties: { ...message.properties, messageId: undefined } })
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

it.each([
  [undefined, 500],
  [1, 1000],
  [5, 16_000],
  [6, 30_000],
  [5000, 30_000],
  [1.5, 500],
])("after %s deferrals, a failed message is tried again after %i ms", (times, delayMs) => {
  expect(retryDelayMs(deferred(times))).toBe(delayMs)
})

describe("the copy of a delivery", () => {
  const copyOf = (settlement: Parameters<typeof toEnvelope>[2], message = deferred(2)) =>
    toEnvelope(toDelivery("l1", message), message, settlement)

  it("goes to the deferred messages, where it expires after the delay", () => {
    expect(copyOf({ retryInMs: 700 })).toEqual({
      key: "l1.later",
      id: "m",
      body: '{"a":"ü"}',
      headers: { "x-earmark-put-off": 3 },
      expiresInMs: 700,
    })
  })

  it("goes to the queue itself without a delay", () => {
    expect(copyOf({ retryInMs: 0 }, messageOf())).toEqual({
      key: "l1",
      id: "m",
      body: '{"a":"ü"}',
      headers: { "x-earmark-put-off": 1 },
    })
  })

  it("goes to the dead letters with a shortened reason and the time", () => {
    const from = Date.now()
    const { headers, ...copy } = copyOf({ deadLetter: "x".repeat(2000) })
    expect(copy).toEqual({ key: "l1.dead", id: "m", body: '{"a":"ü"}' })
    expect(headers).toEqual({ "x-earmark-reason": "x".repeat(1000), "x-earmark-dead-at": expect.any(Number) })
    expect(Number(headers?.["x-earmark-dead-at"])).toBeGreaterThanOrEqual(from)
  })
})

it.each([
  [
    { "x-earmark-reason": "not JSON", "x-earmark-dead-at": 7 },
    { reason: "not JSON", deadAt: 7 },
  ],
  [{ "x-first-death-reason": "delivery_limit" }, { reason: "dead-lettered by the broker: delivery_limit" }],
  [{ "x-earmark-dead-at": "no time" }, { reason: "dead-lettered by the broker: no reason" }],
  [undefined, { reason: "dead-lettered by the broker: no reason" }],
])("a dead letter with the headers %j says why", (headers, expected) => {
  expect(toDeadLetter("l2", messageOf(headers))).toEqual({ stage: "l2", id: "m", body: '{"a":"ü"}', ...expected })
})
