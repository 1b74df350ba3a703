import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { jobRecord } from "../../../domain/jobs/jobs.ts"
import { STAGE_NAMES, stageMessage } from "../../../domain/jobs/stages.ts"
import {
  claim,
  dueStages,
  finish,
  newJob,
  planOf,
  publishDue,
  resultOf,
  type StoreFixture,
  type StoreSetup,
  tryClaim,
} from "./fixtures.ts"

const failure = { kind: "never", detail: "it broke", retryInMs: 0 } as const

export const testJobs = (setup: StoreSetup) =>
  describe("jobs", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("submits a job with eight stages and one message", async () => {
      const job = newJob()
      const record = jobRecord.parse(await f.store.jobs.submit(job))
      expect(record).toMatchObject({ job_id: job.jobId, session_id: job.sessionId, status: "queued", attempts: 1 })
      expect(record.stages).toEqual({
        ...Object.fromEntries(STAGE_NAMES.map((s) => [s, "pending"])),
        whisper: "queued",
      })
      expect(record).not.toHaveProperty("result_session_id")
      expect(await f.store.jobs.get(job.jobId)).toEqual(record)
      const [message, ...more] = await publishDue(f.store)
      expect(more).toEqual([])
      expect(stageMessage.parse(JSON.parse(message!.body))).toEqual({
        version: 1,
        job_id: job.jobId,
        session_id: job.sessionId,
        stage: "whisper",
        attempt: 1,
        next: ["l1"],
      })
    })

    it("returns a job that was submitted before as it is, also if both requests come at once", async () => {
      const job = newJob()
      const both = await Promise.all([f.store.jobs.submit(job), f.store.jobs.submit({ ...job, title: "Another" })])
      expect(both[1]).toEqual(both[0])
      await f.store.jobs.cancel(job.jobId)
      const again = await f.store.jobs.submit({ ...job, title: "Another" })
      expect(again).toMatchObject({ job_id: job.jobId, title: both[0].title, status: "cancelled" })
      expect((await f.store.jobs.list({ limit: 10 })).jobs).toHaveLength(1)
      expect(await f.store.outbox.listDue(10)).toHaveLength(1)
    })

    it("puts the trace of the request into every message, and that of the retry after a retry", async () => {
      const [asked, again] = ["1", "2"].map((n) => ({ traceparent: `00-${n.repeat(32)}-${n.repeat(16)}-01` }))
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId, trace: { ...asked!, tracestate: "a=b" } }))
      const traces = async () => (await publishDue(f.store)).map((m) => stageMessage.parse(JSON.parse(m.body)).trace)
      expect(await traces()).toEqual([{ ...asked, tracestate: "a=b" }])
      await finish(f.store, jobId, "whisper")
      await f.store.stages.fail(await claim(f.store, jobId, "l1"), failure)
      await traces()
      await f.store.jobs.retry(jobId, again)
      expect(await traces()).toEqual([again])
      await f.store.stages.fail(await claim(f.store, jobId, "l1"), failure)
      await f.store.jobs.retry(jobId)
      expect(await traces()).toEqual([again])
    })

    it("counts jobs by status, including those with none", async () => {
      for (const jobId of ["a", "b", "c"]) await f.store.jobs.submit(newJob({ jobId }))
      await f.store.jobs.cancel("a")
      await claim(f.store, "b", "whisper")
      expect(await f.store.jobs.countByStatus()).toEqual({ queued: 1, running: 1, done: 0, error: 0, cancelled: 1 })
    })

    it("creates no clip for a job that fails in its first stage", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await f.store.stages.fail(await claim(f.store, job.jobId, "whisper"), failure)
      expect(await f.store.clips.get(job.sessionId)).toBeNull()
    })

    it("returns null for an unknown job", async () => {
      expect(await f.store.jobs.get("nobody")).toBeNull()
      expect(await f.store.jobs.cancel("nobody")).toBeNull()
      expect(await f.store.jobs.retry("nobody")).toBeNull()
      expect(await tryClaim(f.store, "nobody", "l1")).toEqual({ claim: null, why: "unknown" })
    })

    it("lists every job once across pages, even with equal times and with jobs submitted meanwhile", async () => {
      const ids: string[] = []
      for (let i = 0; i < 7; i++) {
        if (i % 3 === 0) f.clock.advance(10)
        ids.push((await f.store.jobs.submit(newJob())).job_id)
      }
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await f.store.jobs.list({ limit: 3, ...(cursor && { cursor }) })
        seen.push(...page.jobs.map((j) => j.job_id))
        cursor = page.next_cursor
        f.clock.advance(1)
        await f.store.jobs.submit(newJob())
      } while (cursor)
      expect([...seen].sort()).toEqual([...ids].sort())
      expect(seen[0]).toBe(ids[6])
      const times = await Promise.all(seen.map(async (id) => (await f.store.jobs.get(id))!.created_at))
      expect(times).toEqual([...times].sort().reverse())
    })

    it("filters by status and returns no cursor on the last page", async () => {
      const job = newJob()
      await f.store.jobs.submit(newJob())
      await f.store.jobs.submit(job)
      await f.store.jobs.cancel(job.jobId)
      const { jobs, ...rest } = await f.store.jobs.list({ limit: 1, status: "cancelled" })
      expect(jobs.map((j) => j.job_id)).toEqual([job.jobId])
      expect(rest).toEqual({})
      expect((await f.store.jobs.list({ limit: 5, status: "done" })).jobs).toEqual([])
    })

    it.each(["nonsense", "e30", "", "bnVsbA", "WzEuNSwieCJd"])("rejects the cursor '%s'", async (cursor) => {
      await expect(f.store.jobs.list({ limit: 1, cursor })).rejects.toMatchObject({ code: "invalid" })
    })

    it("cancels a job: rejects late results, further claims and a second cancellation", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, "whisper", "l1")
      const running = await claim(f.store, job.jobId, "decide")
      const record = await f.store.jobs.cancel(job.jobId)
      expect(record).toMatchObject({
        status: "cancelled",
        progress: null,
        stages: { whisper: "done", l1: "done", decide: "cancelled", summarize_l1: "cancelled", l0: "pending" },
      })
      expect(record?.finished_at).toBeDefined()
      expect(await f.store.stages.renewLease(running, 1000)).toBe("cancelled")
      expect(await f.store.stages.complete(running, resultOf("decide"))).toBe(false)
      expect(await f.store.stages.fail(running, failure)).toBe("fenced")
      expect(await tryClaim(f.store, job.jobId, "summarize_l1")).toEqual({ claim: null, why: "duplicate" })
      expect(await f.store.jobs.get(job.jobId)).toEqual(record)
      await expect(f.store.jobs.cancel(job.jobId)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringMatching(`^job '${job.jobId}' is cancelled and `),
      })
    })

    it("retries from the failed stage, keeps finished stages and continues the parallel branch", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, "whisper", "l1", "decide")
      const late = await claim(f.store, job.jobId, "summarize_l1", "late")
      await f.store.stages.fail(await claim(f.store, job.jobId, "l2"), failure)
      const failed = await f.store.jobs.get(job.jobId)
      expect(failed).toMatchObject({
        status: "error",
        error: { stage: "l2", detail: "it broke" },
        stages: { decide: "done", l2: "error", summarize_l1: "pending", summarize_l2: "pending", l0: "pending" },
      })
      expect(await f.store.stages.complete(late, resultOf("summarize_l1"))).toBe(false)

      await publishDue(f.store)
      const again = await f.store.jobs.retry(job.jobId)
      expect(again).toMatchObject({
        status: "queued",
        attempts: 2,
        stages: { l2: "queued", summarize_l1: "queued", decide: "done" },
      })
      expect(again).not.toHaveProperty("error")
      expect(again).not.toHaveProperty("finished_at")
      expect((await dueStages(f.store)).sort()).toEqual(["l2", "summarize_l1"])
      expect(await f.store.stages.complete(late, resultOf("summarize_l1"))).toBe(false)
      await finish(f.store, job.jobId, "l2", "summarize_l1", "summarize_l2", "l0", "persist")
      const done = await f.store.jobs.get(job.jobId)
      expect(done).toMatchObject({ status: "done", attempts: 2 })
      expect(done?.stage_attempts).toEqual({
        ...Object.fromEntries(STAGE_NAMES.map((s) => [s, 1])),
        l2: 2,
        summarize_l1: 2,
      })
    })

    it("retries a job that was cancelled before it began, with a new message", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      const [first] = await publishDue(f.store)
      await f.store.jobs.cancel(job.jobId)
      await f.store.jobs.retry(job.jobId)
      const [second] = await publishDue(f.store)
      expect(second?.stage).toBe("whisper")
      expect(second?.id).not.toBe(first?.id)
    })

    it("rejects a retry unless the job failed or was cancelled", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      const rejected = (status: string) => ({ code: "conflict", message: expect.stringContaining(`is ${status} and `) })
      await expect(f.store.jobs.retry(job.jobId)).rejects.toMatchObject(rejected("queued"))
      await finish(f.store, job.jobId, "whisper")
      await expect(f.store.jobs.retry(job.jobId)).rejects.toMatchObject(rejected("running"))
      await finish(f.store, job.jobId, "l1", "decide", "l2", "summarize_l1", "summarize_l2", "l0", "persist")
      await expect(f.store.jobs.retry(job.jobId)).rejects.toMatchObject(rejected("done"))
      await expect(f.store.jobs.cancel(job.jobId)).rejects.toMatchObject(rejected("done"))
    })

    it("resets the attempts of a retried stage", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      const retry = { ...failure, kind: "retry" } as const
      for (let i = 0; i < 2; i++)
        expect(await f.store.stages.fail(await claim(f.store, job.jobId, "whisper"), retry)).toBe("queued")
      expect(await f.store.stages.fail(await claim(f.store, job.jobId, "whisper"), retry)).toBe("error")
      await f.store.jobs.retry(job.jobId)
      const held = await claim(f.store, job.jobId, "whisper")
      expect(held).toMatchObject({ attempt: 4, tries: 1 })
      expect(await f.store.stages.fail(held, retry)).toBe("queued")
    })

    it("resets the attempts of the parallel branch when the other one failed", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId, plan: planOf(2) }))
      await finish(f.store, jobId, "whisper", "l1")
      const attempt = await claim(f.store, jobId, "decide")
      await f.store.stages.fail(attempt, { ...failure, kind: "retry" })
      await f.store.stages.fail(await claim(f.store, jobId, "summarize_l1"), failure)
      await f.store.jobs.retry(jobId)
      expect(await claim(f.store, jobId, "decide")).toMatchObject({ attempt: 2, tries: 1 })
    })

    it("finds out again which clip a recording belongs to when whisper is retried", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      const moved = { kind: "moved", session_id: randomUUID(), file_path: "/real.wav" } as const
      await f.store.stages.complete(await claim(f.store, job.jobId, "whisper"), { stage: "whisper", output: moved })
      await f.store.stages.fail(await claim(f.store, job.jobId, "whisper"), failure)
      expect(await f.store.jobs.retry(job.jobId)).not.toHaveProperty("result_session_id")
      expect(await tryClaim(f.store, job.jobId, "whisper")).toMatchObject({ job: { sessionId: job.sessionId } })
    })

    it("reports the duration of each finished stage and lists the jobs of a clip", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await f.store.jobs.submit(newJob())
      const held = await claim(f.store, job.jobId, "whisper")
      f.clock.advance(2500)
      await f.store.stages.complete(held, resultOf("whisper"))
      const { jobs } = await f.store.jobs.list({ limit: 10, clip_id: job.sessionId })
      expect(jobs.map((j) => j.job_id)).toEqual([job.jobId])
      expect(jobs[0]?.stage_seconds).toEqual({ whisper: 2.5 })
      await finish(f.store, job.jobId, ...STAGE_NAMES.slice(1))
      expect(Object.keys((await f.store.jobs.get(job.jobId))!.stage_seconds)).toHaveLength(STAGE_NAMES.length)
    })
  })
