import { setTimeout as sleep } from "node:timers/promises"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mapConcurrently, mapInOrder } from "./concurrency.ts"

const neverAborted = () => new AbortController().signal

describe("mapConcurrently", () => {
  it("returns the results in order and never exceeds the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3)), fc.integer({ min: 1, max: 6 }), async (waits, limit) => {
        let running = 0
        let maxRunning = 0
        const results = await mapConcurrently(waits, limit, neverAborted(), async (wait) => {
          maxRunning = Math.max(maxRunning, ++running)
          await sleep(wait)
          running--
          return wait * 2
        })
        expect(results).toEqual(waits.map((w) => w * 2))
        expect(maxRunning).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 25 },
    )
  })

  it("aborts the other calls at the first failure and throws it after they have ended", async () => {
    const ended: string[] = []
    const work = async (name: string, signal: AbortSignal) => {
      if (name === "bad") throw new Error("bad fails")
      await sleep(5_000, undefined, { signal }).catch(() => {})
      ended.push(name)
      return name
    }
    await expect(mapConcurrently(["slow", "bad", "not started"], 2, neverAborted(), work)).rejects.toThrow("bad fails")
    expect(ended).toEqual(["slow"])
  })

  it("throws the abort reason of the caller", async () => {
    const abort = new AbortController()
    const running = mapConcurrently([1, 2], 1, abort.signal, (_, signal) => sleep(5_000, 0, { signal }))
    abort.abort(new Error("enough"))
    await expect(running).rejects.toThrow("enough")
  })
})

type Reading = { count: number; isClosed: boolean }

async function* count(to: number, reading: Reading = { count: 0, isClosed: false }): AsyncGenerator<number> {
  try {
    for (let i = 0; i < to; i++) {
      reading.count++
      yield i
    }
  } finally {
    reading.isClosed = true
  }
}

const collect = async <T>(items: AsyncIterable<T>, results: T[] = []): Promise<T[]> => {
  for await (const item of items) results.push(item)
  return results
}

describe("mapInOrder", () => {
  it("yields the results in order and never exceeds the limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (delays, limit) => {
          let running = 0
          let maxRunning = 0
          const work = async (i: number): Promise<number> => {
            maxRunning = Math.max(maxRunning, ++running)
            await sleep(delays[i]!)
            running--
            return 10 * i
          }
          expect(await collect(mapInOrder(count(delays.length), limit, work))).toEqual(delays.map((_, i) => 10 * i))
          expect(maxRunning).toBeLessThanOrEqual(limit)
        },
      ),
      { numRuns: 30 },
    )
  })

  it("uses the whole limit", async () => {
    let running = 0
    let maxRunning = 0
    const work = async (i: number): Promise<void> => {
      maxRunning = Math.max(maxRunning, ++running)
      await sleep(i % 3)
      running--
    }
    await collect(mapInOrder(count(20), 4, work))
    expect(maxRunning).toBe(4)
  })

  it("reports a failure immediately, throws it after the calls in flight have ended, and reads no more items", async () => {
    const reading = { count: 0, isClosed: false }
    const reported: unknown[] = []
    let finished = 0
    const work = async (i: number): Promise<number> => {
      await sleep(i === 0 ? 1 : 20)
      if (i === 0) throw new Error("first")
      expect(reported[0]).toEqual(new Error("first"))
      finished++
      return i
    }
    const results = mapInOrder(count(100, reading), 3, work, (error) => reported.push(error))
    await expect(collect(results)).rejects.toThrow("first")
    expect(reading).toEqual({ count: 3, isClosed: true })
    expect(finished).toBe(2)
  })

  it("throws a failure after the results of earlier items, with no call in flight", async () => {
    let running = 0
    const seen: number[] = []
    const results = mapInOrder(count(9), 4, async (i) => {
      running++
      await sleep(1)
      running--
      if (i === 1) throw new Error("one")
      return i
    })
    await expect(collect(results, seen)).rejects.toThrow("one")
    expect([seen, running]).toEqual([[0], 0])
  })

  it("throws the error of the stream", async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 0
      throw new Error("unreadable")
    }
    const seen: number[] = []
    await expect(
      collect(
        mapInOrder(failing(), 2, async (i) => i),
        seen,
      ),
    ).rejects.toThrow("unreadable")
    expect(seen).toEqual([0])
  })

  it("closes the stream and waits for the calls in flight when its consumer stops", async () => {
    const reading = { count: 0, isClosed: false }
    let started = 0
    let ended = 0
    const work = async (): Promise<void> => {
      started++
      await sleep(5)
      ended++
    }
    for await (const _ of mapInOrder(count(100, reading), 4, work)) break
    expect(reading.isClosed).toBe(true)
    expect(started).toBeGreaterThanOrEqual(4)
    expect(ended).toBe(started)
  })

  it("lets a call wait until the results of all earlier items were consumed", async () => {
    const consumed: number[] = []
    const started: [number, number[]][] = []
    const results = mapInOrder(count(6), 3, async (i, turn) => {
      if (i === 2) {
        await turn
        started.push([i, [...consumed]])
      }
      return i
    })
    await collect(results, consumed)
    expect(started).toEqual([[2, [0, 1]]])
  })
})
