import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mapInOrder } from "./prefetch.ts"

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function* counting(to: number, taken: { count: number; closed: boolean }): AsyncGenerator<number> {
  try {
    for (let i = 0; i < to; i++) {
      taken.count++
      yield i
    }
  } finally {
    taken.closed = true
  }
}

describe("mapInOrder", () => {
  it("keeps the order and never runs more than the limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (delays, limit) => {
          let running = 0
          let most = 0
          const results: number[] = []
          const work = async (i: number): Promise<number> => {
            most = Math.max(most, ++running)
            await wait(delays[i]!)
            running--
            return i
          }
          for await (const r of mapInOrder(counting(delays.length, { count: 0, closed: false }), limit, work, () => {}))
            results.push(r)
          expect(results).toEqual(delays.map((_, i) => i))
          expect(most).toBeLessThanOrEqual(limit)
        },
      ),
      { numRuns: 30 },
    )
  })

  it("tells of a failure at once, throws it when what runs has ended, and takes nothing more", async () => {
    const taken = { count: 0, closed: false }
    const told: unknown[] = []
    let finished = 0
    const work = async (i: number): Promise<number> => {
      await wait(i === 0 ? 1 : 20)
      if (i === 0) throw new Error("first")
      expect(told[0]).toEqual(new Error("first"))
      finished++
      return i
    }
    const drain = async (): Promise<void> => {
      for await (const _ of mapInOrder(counting(100, taken), 3, work, (e) => told.push(e)));
    }
    await expect(drain()).rejects.toThrow("first")
    expect(taken).toEqual({ count: 3, closed: true })
    expect(finished).toBe(2)
  })

  it("closes the stream when its reader leaves", async () => {
    const taken = { count: 0, closed: false }
    for await (const _ of mapInOrder(
      counting(100, taken),
      2,
      async (i) => i,
      () => {},
    ))
      break
    expect(taken.closed).toBe(true)
  })
})
