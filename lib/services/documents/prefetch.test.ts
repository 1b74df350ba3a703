import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { prefetch } from "./prefetch.ts"

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i
}
const all = async <T>(items: AsyncIterable<T>) => {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe("ahead", () => {
  it("keeps the order, works on so many at once and no more", async () => {
    let now = 0
    let most = 0
    const results = prefetch(numbers(20), 4, async (i) => {
      most = Math.max(most, ++now)
      await sleep(i % 3)
      now--
      return 10 * i
    })
    expect(await all(results)).toEqual(Array.from({ length: 20 }, (_, i) => 10 * i))
    expect(most).toBe(4)
  })
  it("lets what is heavy wait until everything before it was taken", async () => {
    const taken: number[] = []
    const begun: [number, number[]][] = []
    const results = prefetch(numbers(6), 3, async (i, turn) => {
      if (i === 2) {
        await turn
        begun.push([i, [...taken]])
      }
      return i
    })
    for await (const i of results) taken.push(i)
    expect(begun).toEqual([[2, [0, 1]]])
  })
  it("throws a failure in its turn, and leaves nothing running when it is left", async () => {
    let running = 0
    const failing = prefetch(numbers(9), 4, async (i) => {
      running++
      await sleep(1)
      running--
      if (i === 1) throw new Error("one")
      return i
    })
    const seen: number[] = []
    await expect(
      (async () => {
        for await (const i of failing) seen.push(i)
      })(),
    ).rejects.toThrow("one")
    expect([seen, running]).toEqual([[0], 0])
    for await (const _ of prefetch(numbers(9), 4, async () => sleep(5).then(() => running++))) break
    expect(running).toBe(4)
  })
})
