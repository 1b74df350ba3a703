import { describe, expect, it, vi } from "vitest"
import { createFairQueue } from "./fair-queue.ts"

const turn = () => new Promise(setImmediate)

describe("createFairQueue", () => {
  it("lets a new requester go before the other files of one that has a slot", async () => {
    const queue = createFairQueue({ slots: 1, waitMs: 1000 })
    const [folder, upload] = [{}, {}]
    const order: string[] = []
    const enter = async (requester: object, name: string) => {
      const release = await queue.enter(requester)
      order.push(name)
      await turn()
      release()
    }
    await Promise.all([enter(folder, "a1"), enter(folder, "a2"), enter(folder, "a3"), enter(upload, "b")])
    expect(order).toEqual(["a1", "b", "a2", "a3"])
    const two = createFairQueue({ slots: 2, waitMs: 1000 })
    const first = await two.enter(folder)
    const second = await two.enter(upload)
    const waiting = [two.enter(folder), two.enter({})]
    second()
    const winner = await Promise.race(waiting.map((entry, i) => entry.then(() => i)))
    expect(winner).toBe(1)
    first()
    await Promise.all(waiting)
  })
  it("refuses a requester that gets no slot in time, but not one that waits for its own files", async () => {
    vi.useFakeTimers()
    const queue = createFairQueue({ slots: 1, waitMs: 1000 })
    const folder = {}
    const release = await queue.enter(folder)
    const own = queue.enter(folder)
    const other = expect(queue.enter({})).rejects.toMatchObject({ code: "unavailable", retryInMs: 1000 })
    await vi.advanceTimersByTimeAsync(60_000)
    await other
    release()
    ;(await own)()
    vi.useRealTimers()
  })
  it("forgets a requester whose signal aborts", async () => {
    const queue = createFairQueue({ slots: 1, waitMs: 1000 })
    const release = await queue.enter({})
    const controller = new AbortController()
    const aborted = queue.enter({}, controller.signal)
    const next = queue.enter({})
    controller.abort(new Error("gone"))
    await expect(aborted).rejects.toThrow("gone")
    release()
    ;(await next)()
    await expect(queue.enter({})).resolves.toBeTypeOf("function")
  })
})
