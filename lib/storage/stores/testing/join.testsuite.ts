import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StageName } from "../../../domain/jobs/stages.ts"
import type { Claim } from "../ports/stages.ts"
import type { Store } from "../ports/store.ts"
import { dueStages, finish, newJob, resultOf, type StoreFixture, type StoreSetup, tryClaim } from "./fixtures.ts"

type Step = { readonly stage: StageName; readonly does: "claim" | "complete" | "fail" }

/** Returns all interleavings of two sequences: for lengths n and m there are (n+m)! / (n! m!). */
const interleavings = <T>(a: readonly T[], b: readonly T[]): T[][] => {
  const [headA, ...restA] = a
  const [headB, ...restB] = b
  if (headA === undefined || headB === undefined) return [[...a, ...b]]
  return [
    ...interleavings(restA, b).map((rest) => [headA, ...rest]),
    ...interleavings(a, restB).map((rest) => [headB, ...rest]),
  ]
}

const run = (...stages: StageName[]): Step[] =>
  stages.flatMap((stage) => [
    { stage, does: "claim" as const },
    { stage, does: "complete" as const },
  ])
const failing = (steps: readonly Step[]): Step[] => [...steps.slice(0, -1), { ...steps.at(-1)!, does: "fail" }]

const LONG = run("decide", "l2", "summarize_l2")
const SHORT = run("summarize_l1")

export const testJoin = (setup: StoreSetup) =>
  describe("joining both branches in every order", () => {
    let f: StoreFixture
    let stores: readonly Store[]
    beforeEach(async () => {
      f = await setup()
      stores = [f.store, await f.another()]
    })
    afterEach(() => f.teardown())

    /** Executes one order, each step twice and by two stores. Returns the published stages in order. */
    const play = async (order: readonly Step[]): Promise<StageName[]> => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      await finish(f.store, jobId, "whisper", "l1")
      await dueStages(f.store)
      const claims = new Map<StageName, Claim>()
      const published: StageName[] = []
      for (const { stage, does } of order) {
        for (const store of stores) {
          const held = claims.get(stage)
          if (does === "claim") {
            const { claim } = await tryClaim(store, jobId, stage)
            if (claim) claims.set(stage, claim)
          } else if (held && does === "complete") await store.stages.complete(held, resultOf(stage))
          else if (held) await store.stages.fail(held, { kind: "never", detail: "no", retryInMs: 0 })
        }
        published.push(...(await dueStages(f.store)))
      }
      return published
    }

    it("publishes l0 exactly once, when the second branch is done", async () => {
      const orders = interleavings(LONG, SHORT)
      expect(orders).toHaveLength(28)
      for (const order of orders) {
        const published = await play(order)
        expect(published.filter((s) => s === "l0")).toEqual(["l0"])
        expect(published.at(-1)).toBe("l0")
      }
    })

    it("never publishes l0 if either branch fails at any point", async () => {
      for (const order of [
        ...interleavings(failing(LONG), SHORT),
        ...interleavings(LONG, failing(SHORT)),
        ...interleavings(failing(LONG.slice(0, 4)), SHORT),
        ...interleavings(failing(LONG), failing(SHORT)),
      ])
        expect(await play(order)).not.toContain("l0")
    })
  })
