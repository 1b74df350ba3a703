import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { AppError } from "../../../domain/errors.ts"
import { STAGE_NAMES, type StageName } from "../../../domain/jobs/stages.ts"
import type { Claim } from "../ports/stages.ts"
import {
  LEASE_MS,
  newJob,
  planOf,
  resultOf,
  type StoreFixture,
  type StoreSetup,
  SWEEP,
  sweepFor,
  tryClaim,
} from "./fixtures.ts"

/** A random event of a job. `who` selects one of all claims so far, held or stale. */
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("claim" as const), stage: fc.constantFrom(...STAGE_NAMES) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("complete" as const), who: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fail" as const),
      who: fc.nat(),
      kind: fc.constantFrom("never" as const, "retry" as const, "later" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1000, LEASE_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("sweep" as const, "cancel" as const, "retry" as const) }) },
)
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never

const ignoreConflict = (error: unknown) => {
  if (!AppError.is(error) || error.code !== "conflict") throw error
}

export const testLifecycle = (setup: StoreSetup, numRuns: number) =>
  describe("a job under random events", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    /** Applies one event. Completing succeeds at most once per stage, and only with its newest claim. */
    const apply = async (jobId: string, e: Event, claims: Claim[], completed: StageName[]) => {
      if (e.do === "claim") {
        const { claim } = await tryClaim(f.store, jobId, e.stage, `w${claims.length % 3}`)
        if (claim) claims.push(claim)
      } else if (e.do === "complete" || e.do === "fail") {
        const claim = claims[e.who % Math.max(1, claims.length)]
        if (!claim) return
        const newest = claims.findLast((c) => c.stage === claim.stage) === claim
        const wrote =
          e.do === "complete"
            ? await f.store.stages.complete(claim, resultOf(claim.stage))
            : (await f.store.stages.fail(claim, { kind: e.kind, detail: "no", retryInMs: 0 })) !== "fenced"
        if (wrote) expect(newest).toBe(true)
        if (wrote && e.do === "complete") completed.push(claim.stage)
      } else if (e.do === "wait") f.clock.advance(e.ms)
      else if (e.do === "sweep") await f.store.stages.sweep(SWEEP)
      else if (e.do === "cancel") await f.store.jobs.cancel(jobId).catch(ignoreConflict)
      else await f.store.jobs.retry(jobId).catch(ignoreConflict)
    }

    /** Completes the job by its messages alone, as workers do, to show that no message is lost. */
    const drain = async (jobId: string) => {
      for (let i = 0; i < 12; i++) {
        await f.store.jobs.retry(jobId).catch(ignoreConflict)
        await sweepFor(f, LEASE_MS)
        const due = await f.store.outbox.listDue(1000)
        await f.store.outbox.markPublished(due.map((m) => m.id))
        for (const { body } of due) {
          const message = JSON.parse(body)
          const { claim } = await tryClaim(f.store, message.job_id, message.stage)
          if (claim) await f.store.stages.complete(claim, resultOf(claim.stage))
        }
      }
    }

    it("completes each stage once and in order, and ends after a retry", { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
          const { jobId } = newJob()
          await f.store.jobs.submit(newJob({ jobId, plan: planOf(3) }))
          const claims: Claim[] = []
          const completed: StageName[] = []
          let attempts = (await f.store.jobs.get(jobId))!.stage_attempts
          for (const e of events) {
            await apply(jobId, e, claims, completed)
            const record = (await f.store.jobs.get(jobId))!
            for (const s of STAGE_NAMES) expect(record.stage_attempts[s]).toBeGreaterThanOrEqual(attempts[s])
            attempts = record.stage_attempts
            const done = STAGE_NAMES.filter((s) => record.stages[s] === "done")
            expect([...completed].sort()).toEqual([...done].sort())
            expect(record.status === "done").toBe(done.length === STAGE_NAMES.length)
            for (const { stage, next, joins } of planOf()) {
              if (joins.length > 0 && record.stages[stage] !== "pending")
                for (const j of joins) expect(record.stages[j]).toBe("done")
              for (const n of next) if (record.stages[n] !== "pending") expect(record.stages[stage]).toBe("done")
            }
            if (record.status === "error") expect(record.stages[record.error!.stage]).toBe("error")
            const busy = STAGE_NAMES.some((s) => ["queued", "running"].includes(record.stages[s]))
            expect(busy).toBe(record.status === "queued" || record.status === "running")
          }
          await drain(jobId)
          expect(await f.store.jobs.get(jobId)).toMatchObject({ status: "done" })
        }),
        { numRuns },
      )
    })
  })
