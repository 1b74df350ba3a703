import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createIsolationGate } from "./isolation-gate.ts"

describe("createIsolationGate", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Records which stages have entered a gate and not left it. */
  const trackStages = (stayMs?: number) => {
    const gate = createIsolationGate(stayMs)
    const inside: string[] = []
    const enter = async (name: string, alone = false) => {
      const leave = await gate.enter(alone)
      inside.push(name)
      return () => {
        inside.splice(inside.indexOf(name), 1)
        leave()
      }
    }
    return { inside, enter }
  }
  /** Lets every entry that the gate has granted take effect; no time passes. */
  const settle = () => vi.advanceTimersByTimeAsync(0)

  it("admits stages together, an isolated one after they have left, and later ones after the isolated one", async () => {
    const { inside, enter } = trackStages()
    const [leaveA, leaveB] = [await enter("a"), await enter("b")]
    const isolated = enter("isolated", true)
    const late = enter("late")
    leaveA()
    await settle()
    expect(inside).toEqual(["b"])
    leaveB()
    const leaveIsolated = await isolated
    await settle()
    expect(inside).toEqual(["isolated"])
    leaveIsolated()
    await late
    expect(inside).toEqual(["late"])
  })

  it("admits isolated stages one at a time", async () => {
    const { inside, enter } = trackStages()
    const entries = Array.from({ length: 5 }, (_, i) => enter(`${i}`, true))
    for (const [i, entry] of entries.entries()) {
      await settle()
      expect(inside).toEqual([`${i}`])
      ;(await entry)()
    }
    await settle()
    expect(inside).toEqual([])
  })

  it("stops waiting for a stage that has been running for longer than the limit", async () => {
    const { inside, enter } = trackStages(30)
    await enter("long")
    const isolated = enter("isolated", true)
    const waiting = enter("waiting")
    await vi.advanceTimersByTimeAsync(29)
    expect(inside).toEqual(["long"])
    await vi.advanceTimersByTimeAsync(1)
    await isolated
    expect(inside).toEqual(["long", "isolated"])
    await vi.advanceTimersByTimeAsync(30)
    await waiting
    expect(inside).toEqual(["long", "isolated", "waiting"])
  })

  it("ignores a second call of the same leave function", async () => {
    const gate = createIsolationGate()
    const leave = await gate.enter(true)
    leave()
    leave()
    const leaveNext = await gate.enter(true)
    let entered = false
    const other = gate.enter(false).then((leaveOther) => {
      entered = true
      return leaveOther
    })
    await settle()
    expect(entered).toBe(false)
    leaveNext()
    ;(await other)()
    expect(entered).toBe(true)
  })
})
