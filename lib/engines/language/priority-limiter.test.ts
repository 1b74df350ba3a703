import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { createPriorityLimiter, type SlotRank } from "./priority-limiter.ts"

const row = () => {
  let time = 1e6
  const slots = createPriorityLimiter({ now: () => ++time })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, most: number, { rank = "side" as SlotRank, signal = new AbortController().signal } = {}) =>
    slots({ most, rank, signal }, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const settle = () => sleep(20)
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await settle()
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { ask, begun, end, pass, settle }
}

describe("places at a model server", () => {
  it("are as many as each call allows, for all calls together", async () => {
    const { ask, begun, end, settle } = row()
    for (const name of ["a", "b", "c"]) void ask(name, 2)
    await settle()
    expect(begun).toEqual(["a", "b"])
    await end("a")
    expect(begun).toEqual(["a", "b", "c"])
  })
  it("go to calls on the longest path first, but not for ever", async () => {
    const { ask, begun, end, pass, settle } = row()
    void ask("a", 1, { rank: "path" })
    void ask("plain", 1)
    void ask("urgent", 1, { rank: "path" })
    pass(120_000)
    void ask("too late", 1, { rank: "path" })
    await settle()
    for (const name of ["a", "urgent", "plain"]) await end(name)
    expect(begun).toEqual(["a", "urgent", "plain", "too late"])
  })
  it("are not taken by others while one that allows fewer is first", async () => {
    const { ask, begun, end, settle } = row()
    void ask("a", 8)
    await settle()
    void ask("lonely", 1)
    void ask("b", 8)
    await settle()
    expect(begun).toEqual(["a"])
    await end("a")
    expect(begun).toEqual(["a", "lonely", "b"])
  })
  it("are kept for calls on the path: as many as there were at once, and all but one until the next may have come", async () => {
    const { ask, begun, end, pass, settle } = row()
    for (const name of ["p1", "p2", "p3", "p4"]) void ask(name, 4)
    for (const name of ["u1", "u2"]) void ask(name, 4, { rank: "path" })
    await settle()
    expect(begun).toEqual(["u1", "u2", "p1", "p2"])
    for (const name of ["u1", "p1", "u2"]) await end(name)
    expect(begun.slice(4)).toEqual(["p3"])
    await end("p2")
    expect(begun.slice(5)).toEqual([])
    pass(1000)
    await end("p3")
    expect(begun.slice(5)).toEqual(["p4"])
  })
  it("are all taken when the last calls of the path go out", async () => {
    const { ask, begun, end, settle } = row()
    void ask("u1", 4, { rank: "path" })
    for (const name of ["s1", "s2", "s3"]) void ask(name, 4)
    for (const name of ["n1", "n2"]) void ask(name, 4, { rank: "next" })
    await settle()
    expect(begun).toEqual(["u1", "n1", "n2", "s1"])
    for (const name of ["s1", "n1", "n2"]) await end(name)
    expect(begun.slice(4)).toEqual(["s2", "s3"])
  })
  it("are taken after a while though nobody ends a call", async () => {
    const slots = createPriorityLimiter()
    const signal = new AbortController().signal
    await slots({ most: 2, rank: "path", signal }, async () => {})
    const both = await Promise.all(
      [1, 2].map((n) => slots({ most: 2, rank: "side", signal }, () => sleep(n === 1 ? 600 : 0, n))),
    )
    expect(both).toEqual([1, 2])
  })
  it("are given up by a call that fails, and not waited for by one that is aborted", async () => {
    const slots = createPriorityLimiter()
    const signal = new AbortController().signal
    await expect(slots({ most: 1, rank: "side", signal }, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    const { ask, begun, end, settle } = row()
    void ask("a", 1)
    await settle()
    const leaving = new AbortController()
    const left = ask("b", 1, { signal: leaving.signal })
    void ask("c", 1)
    leaving.abort(new Error("gone"))
    await expect(left).rejects.toThrow("gone")
    await expect(ask("d", 1, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before")
    await end("a")
    expect(begun).toEqual(["a", "c"])
  })
})
