import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { createIsolationGate } from "./isolation-gate.ts"

describe("the door for what may have killed a worker", () => {
  const watched = (stayMs?: number) => {
    const door = createIsolationGate(stayMs)
    const inside: string[] = []
    const enter = async (name: string, alone = false) => {
      const leave = await door.enter(alone)
      inside.push(name)
      return () => {
        inside.splice(inside.indexOf(name), 1)
        leave()
      }
    }
    return { inside, enter }
  }

  it("lets others in together, and a suspect when they have left; newcomers wait for it", async () => {
    const { inside, enter } = watched()
    const [a, b] = [await enter("a"), await enter("b")]
    const suspect = enter("suspect", true)
    const late = enter("late")
    a()
    await sleep(5)
    expect(inside).toEqual(["b"])
    b()
    const leave = await suspect
    await sleep(5)
    expect(inside).toEqual(["suspect"])
    leave()
    await late
    expect(inside).toEqual(["late"])
  })

  it("lets suspects in one after the other", async () => {
    const { inside, enter } = watched()
    let most = 0
    await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const leave = await enter(`${i}`, true)
        most = Math.max(most, inside.length)
        await sleep(2)
        leave()
      }),
    )
    expect(most).toBe(1)
    expect(inside).toEqual([])
  })

  it("keeps nobody out by a stay that has become long", async () => {
    const { inside, enter } = watched(30)
    await enter("hours")
    await enter("suspect", true)
    await enter("newcomer")
    expect(inside).toEqual(["hours", "suspect", "newcomer"])
    const next = await enter("next", true)
    next()
    next()
    expect(await Promise.race([enter("last"), sleep(1_000, "kept out")])).not.toBe("kept out")
  })
})
