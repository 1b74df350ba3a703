import { setTimeout as sleep } from "node:timers/promises"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mapBounded } from "./bounded.ts"

const quiet = () => new AbortController().signal

describe("mapBounded", () => {
  it("keeps the order and never has more than the limit at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3)), fc.integer({ min: 1, max: 6 }), async (waits, limit) => {
        let now = 0
        let most = 0
        const results = await mapBounded(waits, limit, quiet(), async (wait) => {
          most = Math.max(most, ++now)
          await sleep(wait)
          now--
          return wait * 2
        })
        expect(results).toEqual(waits.map((w) => w * 2))
        expect(most).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 25 },
    )
  })

  it("throws the first failure after all calls have ended, aborted", async () => {
    const ended: string[] = []
    const work = async (name: string, signal: AbortSignal) => {
      if (name === "bad") throw new Error("bad fails")
      await sleep(5_000, undefined, { signal }).catch(() => {})
      ended.push(name)
      return name
    }
    await expect(mapBounded(["slow", "bad", "never begun"], 2, quiet(), work)).rejects.toThrow("bad fails")
    expect(ended).toEqual(["slow"])
  })

  it("ends with the caller's reason when it is aborted", async () => {
    const abort = new AbortController()
    const running = mapBounded([1, 2], 1, abort.signal, (_, signal) => sleep(5_000, 0, { signal }))
    abort.abort(new Error("enough"))
    await expect(running).rejects.toThrow("enough")
  })
})
