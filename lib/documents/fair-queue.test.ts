import { describe, expect, it, vi } from "vitest"
import { createFairQueue } from "./fair-queue.ts"

const turn = () => new Promise(setImmediate)

describe("createFairQueue", () => {
  it("lets a new requester go before the other files of one that has a slot", async () => {
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
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
    const two = createFairQueue({ slots: 2, waitMs: 1000, busyMessage: "Busy." })
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
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
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
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
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
  it("admits as many requesters as it has slots, and never more", async () => {
    const queue = createFairQueue({ slots: 2, waitMs: 1000, busyMessage: "Busy." })
    let inside = 0
    let most = 0
    const work = async () => {
      const release = await queue.enter({})
      most = Math.max(most, ++inside)
      await turn()
      inside--
      release()
    }
    await Promise.all(Array.from({ length: 7 }, work))
    expect(most).toBe(2)
  })
  it("refuses a requester only after the whole wait", async () => {
    vi.useFakeTimers()
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
    await queue.enter({})
    let outcome: unknown = "waiting"
    const entering = queue.enter({}).catch((error: unknown) => {
      outcome = error
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(outcome).toBe("waiting")
    await vi.advanceTimersByTimeAsync(1)
    await entering
    expect(outcome).toMatchObject({ code: "unavailable", retry: "later" })
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  it("lets nobody wait whose signal is aborted already", async () => {
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
    await expect(queue.enter({}, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone")
    ;(await queue.enter({}))()
  })
  it("does not give up a slot when the signal of its holder aborts", async () => {
    const queue = createFairQueue({ slots: 1, waitMs: 1000, busyMessage: "Busy." })
    const controller = new AbortController()
    const release = await queue.enter({}, controller.signal)
    const next = queue.enter({})
    controller.abort()
    expect(await Promise.race([next.then(() => "admitted"), turn().then(() => "waiting")])).toBe("waiting")
    release()
    ;(await next)()
  })
})
