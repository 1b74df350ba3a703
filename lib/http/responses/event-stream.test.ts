import { afterEach, describe, expect, it, vi } from "vitest"
import { eventStream, type ServerEvent, wantsEvents } from "./event-stream.ts"

afterEach(() => {
  vi.useRealTimers()
})

async function* eventsOf(...events: ServerEvent[]) {
  yield* events
}

describe("a stream of events", () => {
  it("names the ID with which a client continues", async () => {
    const response = await eventStream(
      async () => eventsOf({ id: "7", event: "a", data: 1 }, { event: "b", data: null }),
      [],
    )
    expect(await response.text()).toBe("event: a\ndata: 1\nid: 7\n\nevent: b\ndata: null\n\n")
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    })
  })

  it("is 204 without a body if no event is left", async () => {
    const response = await eventStream(async () => null, [])
    expect([response.status, response.body]).toEqual([204, null])
  })

  /** Opens a stream whose source waits until `next` is settled. */
  const openWaiting = async () => {
    let settle: { end: () => void; fail: (error: Error) => void } | undefined
    const wait = new Promise<void>((resolve, reject) => {
      settle = { end: resolve, fail: reject }
    })
    async function* waiting() {
      await wait
      yield* [] as ServerEvent[]
    }
    const response = await eventStream(async () => waiting(), [])
    return { reader: response.body!.getReader(), ...settle! }
  }

  it("has a comment every 15 seconds, until it ends", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const { reader, end } = await openWaiting()
    const read = reader.read()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(await Promise.race([read, Promise.resolve("nothing yet")])).toBe("nothing yet")
    await vi.advanceTimersByTimeAsync(1)
    expect(new TextDecoder().decode((await read).value)).toBe(": keep-alive\n\n")
    end()
    expect((await reader.read()).done).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("has no more comments after an error of its source, which breaks it off", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const { reader, fail } = await openWaiting()
    fail(new Error("the store is gone"))
    await expect(reader.read()).rejects.toThrow("the store is gone")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("has no more comments after its client has disconnected", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    const { reader } = await openWaiting()
    await reader.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it.each([
  ["text/event-stream", true],
  ["application/json, Text/Event-Stream;q=0.5", true],
  ["application/json", false],
  [null, false],
])("a request with Accept: %s asks for events: %j", (accept, expected) => {
  const headers = accept === null ? {} : { accept }
  expect(wantsEvents(new Request("http://localhost", { headers }))).toBe(expected)
})
