import { EventEmitter } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { discardBody, isStillSending } from "./lingering-close.ts"
import { trackPendingResponses } from "./pending-responses.ts"

const MAX_BYTES = 64 * 2 ** 20

describe("the rest of a body that nobody reads", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const start = () => {
    const request = new Readable({ read: () => undefined, highWaterMark: 2 * MAX_BYTES })
    const done = vi.fn()
    discardBody(request as IncomingMessage, done)
    return { request, done }
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it("is read until it ends", async () => {
    const { request, done } = start()
    request.push(Buffer.alloc(10))
    await settle()
    expect([done.mock.calls.length, request.readableLength]).toEqual([0, 0])
    request.push(null)
    await settle()
    expect(done).toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it("is read until the client disconnects", async () => {
    const { request, done } = start()
    request.destroy()
    await settle()
    expect(done).toHaveBeenCalled()
  })

  it("is read for three seconds at most", () => {
    const { done } = start()
    vi.advanceTimersByTime(2999)
    expect(done).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(done).toHaveBeenCalledOnce()
  })

  it("is read up to 64 MiB", async () => {
    const { request, done } = start()
    const chunk = Buffer.alloc(MAX_BYTES / 2)
    for (let i = 0; i < 2; i++) request.push(chunk)
    await settle()
    expect(done).not.toHaveBeenCalled()
    request.push(Buffer.alloc(1))
    await settle()
    expect(done).toHaveBeenCalledOnce()
    request.push(chunk)
    await settle()
    expect(request.readableLength).toBe(chunk.length)
  })
})

it.each([
  ["POST", false, false, true],
  ["POST", true, false, false],
  ["POST", false, true, false],
  ["GET", false, false, false],
  ["HEAD", false, false, false],
])(
  "a %s request that is complete (%j) or gone (%j) is still being sent: %j",
  (method, complete, destroyed, expected) => {
    expect(isStillSending({ method, complete, destroyed } as IncomingMessage)).toBe(expected)
  },
)

describe("the responses of a connection", () => {
  const responseOn = (socket: object, { complete = true, headersSent = false } = {}) =>
    Object.assign(new EventEmitter(), { headersSent, req: { socket, complete } }) as unknown as ServerResponse &
      EventEmitter

  it("leave room for an error only in the middle of a request that has no answer yet", () => {
    const cases: [Parameters<typeof responseOn>[1][], boolean][] = [
      [[], true],
      [[{ complete: false }], true],
      [[{ complete: true }], false],
      [[{ complete: false, headersSent: true }], false],
      [[{ complete: true }, { complete: false }], false],
      [[{ complete: false }, { complete: false }], false],
    ]
    for (const [responses, expected] of cases) {
      const [tracker, socket] = [trackPendingResponses(), {}]
      for (const options of responses) tracker.add(responseOn(socket, options))
      tracker.add(responseOn({}))
      expect(tracker.canSendError(socket as never), JSON.stringify(responses)).toBe(expected)
    }
  })

  it("no longer count when they are closed", () => {
    const [tracker, socket] = [trackPendingResponses(), {}]
    const response = responseOn(socket)
    tracker.add(response)
    expect(tracker.canSendError(socket as never)).toBe(false)
    response.emit("close")
    expect(tracker.canSendError(socket as never)).toBe(true)
  })

  it("are awaited if their requests are complete", async () => {
    const [tracker, socket] = [trackPendingResponses(), {}]
    const [complete, incomplete] = [responseOn(socket), responseOn(socket, { complete: false })]
    for (const response of [complete, incomplete]) tracker.add(response)
    let isSent = false
    const sent = tracker.sent(socket as never).then(() => {
      isSent = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isSent).toBe(false)
    complete.emit("close")
    await sent
    expect(isSent).toBe(true)
    await tracker.sent({} as never)
  })
})
