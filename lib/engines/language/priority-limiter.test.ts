import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { type CallPriority, createPriorityLimiter } from "./priority-limiter.ts"

const createQueue = () => {
  let time = 1e6
  const limiter = createPriorityLimiter({ now: () => ++time })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (
    name: string,
    maxConcurrent: number,
    { priority = "background" as CallPriority, signal = new AbortController().signal } = {},
  ) =>
    limiter({ maxConcurrent, priority, signal }, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const settle = () => sleep(20)
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await settle()
  }
  const advance = (ms: number) => {
    time += ms
  }
  return { ask, started, end, advance, settle }
}

describe("slots of a model server", () => {
  it("are limited for all calls together", async () => {
    const { ask, started, end, settle } = createQueue()
    for (const name of ["a", "b", "c"]) void ask(name, 2)
    await settle()
    expect(started).toEqual(["a", "b"])
    await end("a")
    expect(started).toEqual(["a", "b", "c"])
  })
  it("go to critical calls first, for at most a minute", async () => {
    const { ask, started, end, advance, settle } = createQueue()
    void ask("a", 1, { priority: "critical" })
    void ask("plain", 1)
    void ask("urgent", 1, { priority: "critical" })
    advance(120_000)
    void ask("too late", 1, { priority: "critical" })
    await settle()
    for (const name of ["a", "urgent", "plain"]) await end(name)
    expect(started).toEqual(["a", "urgent", "plain", "too late"])
  })
  it("are not used by others while a call with a lower limit is first", async () => {
    const { ask, started, end, settle } = createQueue()
    void ask("a", 8)
    await settle()
    void ask("lonely", 1)
    void ask("b", 8)
    await settle()
    expect(started).toEqual(["a"])
    await end("a")
    expect(started).toEqual(["a", "lonely", "b"])
  })
  it("are reserved for critical calls: as many as were used concurrently, and all but one until the next may have arrived", async () => {
    const { ask, started, end, advance, settle } = createQueue()
    for (const name of ["p1", "p2", "p3", "p4"]) void ask(name, 4)
    for (const name of ["u1", "u2"]) void ask(name, 4, { priority: "critical" })
    await settle()
    expect(started).toEqual(["u1", "u2", "p1", "p2"])
    for (const name of ["u1", "p1", "u2"]) await end(name)
    expect(started.slice(4)).toEqual(["p3"])
    await end("p2")
    expect(started.slice(5)).toEqual([])
    advance(1000)
    await end("p3")
    expect(started.slice(5)).toEqual(["p4"])
  })
  it("are all used for the final calls", async () => {
    const { ask, started, end, settle } = createQueue()
    void ask("u1", 4, { priority: "critical" })
    for (const name of ["s1", "s2", "s3"]) void ask(name, 4)
    for (const name of ["n1", "n2"]) void ask(name, 4, { priority: "final" })
    await settle()
    expect(started).toEqual(["u1", "n1", "n2", "s1"])
    for (const name of ["s1", "n1", "n2"]) await end(name)
    expect(started.slice(4)).toEqual(["s2", "s3"])
  })
  it("are used after the gap between stages even if no call ends", async () => {
    const limiter = createPriorityLimiter()
    const signal = new AbortController().signal
    await limiter({ maxConcurrent: 2, priority: "critical", signal }, async () => {})
    const both = await Promise.all(
      [1, 2].map((n) =>
        limiter({ maxConcurrent: 2, priority: "background", signal }, () => sleep(n === 1 ? 600 : 0, n)),
      ),
    )
    expect(both).toEqual([1, 2])
  })
  it("are released by a call that fails or is aborted", async () => {
    const limiter = createPriorityLimiter()
    const signal = new AbortController().signal
    await expect(
      limiter({ maxConcurrent: 1, priority: "background", signal }, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no")
    const { ask, started, end, settle } = createQueue()
    void ask("a", 1)
    await settle()
    const leaving = new AbortController()
    const left = ask("b", 1, { signal: leaving.signal })
    void ask("c", 1)
    leaving.abort(new Error("gone"))
    await expect(left).rejects.toThrow("gone")
    await expect(ask("d", 1, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before")
    await end("a")
    expect(started).toEqual(["a", "c"])
  })
})
