import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StageName } from "../../../domain/jobs/stages.ts"
import { stageMessage } from "../../../domain/jobs/stages.ts"
import {
  claim,
  dueStages,
  finish,
  LEASE_MS,
  newJob,
  planOf,
  publishDue,
  resultOf,
  type StoreFixture,
  type StoreSetup,
  SWEEP,
  sweepFor,
  tryClaim,
  wordsOf,
} from "./fixtures.ts"

const retry = { kind: "retry", detail: "try again", retryInMs: 5000 } as const
const never = { kind: "never", detail: "it broke", retryInMs: 0 } as const
const later = { kind: "later", detail: "not now", retryInMs: 7000 } as const

export const testStages = (setup: StoreSetup) =>
  describe("stages", () => {
    let f: StoreFixture
    const submit = async (...changes: Parameters<typeof newJob>) => {
      const job = newJob(...changes)
      await f.store.jobs.submit(job)
      return job
    }
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("gives a stage to exactly one of many concurrent claims", async () => {
      const { jobId } = await submit()
      const other = await f.another()
      const claimers = Array.from({ length: 20 }, (_, i) =>
        tryClaim(i % 2 ? f.store : other, jobId, "whisper", `w${i}`),
      )
      const results = await Promise.all(claimers)
      expect(results.filter((r) => r.claim)).toHaveLength(1)
      expect(results.filter((r) => !r.claim && r.why === "duplicate")).toHaveLength(19)
    })

    it("sets the job to running with its start time on the first claim", async () => {
      const { jobId } = await submit()
      f.clock.advance(5000)
      await claim(f.store, jobId, "whisper")
      const record = (await f.store.jobs.get(jobId))!
      expect(record).toMatchObject({
        status: "running",
        stages: { whisper: "running" },
        stage_attempts: { whisper: 1 },
      })
      expect(Date.parse(record.started_at!) - Date.parse(record.created_at)).toBe(5000)
    })

    it("lists the words of a running transcription from where a reader stopped, until its transcript is stored", async () => {
      const { jobId } = await submit()
      const word = (text: string) => ({ word: text, start: 0, end: 1 })
      const { stages } = f.store
      expect(await stages.listLiveWords(jobId, "")).toEqual({ words: [], next: "", restarted: false })
      const first = await claim(f.store, jobId, "whisper", "first")
      await stages.addLiveWords(first, 1, [word("one"), word("two")])
      const page = await stages.listLiveWords(jobId, "")
      expect(page).toEqual({ words: [word("one"), word("two")], next: "1-1", restarted: false })
      expect(await stages.listLiveWords(jobId, page.next)).toEqual({ words: [], next: "1-1", restarted: false })
      await stages.addLiveWords(first, 2, [word("three")])
      expect((await stages.listLiveWords(jobId, page.next)).words).toEqual([word("three")])

      // Another worker starts again from the beginning, and the first one no longer adds words.
      f.clock.advance(LEASE_MS + 1)
      const second = await claim(f.store, jobId, "whisper", "second")
      await stages.addLiveWords(first, 3, [word("late")])
      await stages.addLiveWords(second, 1, [word("uno")])
      expect(await stages.listLiveWords(jobId, page.next)).toEqual({
        words: [word("uno")],
        next: "2-1",
        restarted: true,
      })
      expect((await stages.listLiveWords(jobId, "")).words).toEqual([word("uno")])
      await stages.complete(second, resultOf("whisper"))
      expect((await stages.listLiveWords(jobId, "")).words).toEqual([])
    })

    it("rejects a claim before a stage is queued and after it is done", async () => {
      const { jobId } = await submit()
      expect(await tryClaim(f.store, jobId, "l1")).toEqual({ claim: null, why: "duplicate" })
      await finish(f.store, jobId, "whisper")
      expect(await tryClaim(f.store, jobId, "whisper")).toEqual({ claim: null, why: "duplicate" })
    })

    it("rejects writes of an owner whose expired lease was taken over", async () => {
      const { jobId } = await submit()
      const slow = await claim(f.store, jobId, "whisper", "slow")
      f.clock.advance(LEASE_MS + 1)
      const quick = await claim(f.store, jobId, "whisper", "quick")
      expect(quick).toMatchObject({ attempt: 2, tries: 2 })
      expect(await f.store.stages.renewLease(slow, LEASE_MS)).toBe("lost")
      await f.store.stages.reportProgress(slow, { stage: "whisper", done: 9, total: 10 })
      expect(await f.store.stages.complete(slow, resultOf("whisper"))).toBe(false)
      expect(await f.store.stages.fail(slow, never)).toBe("fenced")
      const record = await f.store.jobs.get(jobId)
      expect(record).toMatchObject({ status: "running", progress: null, stages: { whisper: "running", l1: "pending" } })
      expect(await f.store.stages.complete(quick, resultOf("whisper"))).toBe(true)
    })

    it("rejects writes of an earlier attempt of the same owner", async () => {
      const { jobId } = await submit()
      const first = await claim(f.store, jobId, "whisper")
      await f.store.stages.fail(first, retry)
      const second = await claim(f.store, jobId, "whisper")
      expect(await f.store.stages.complete(first, resultOf("whisper"))).toBe(false)
      expect(await f.store.stages.fail(first, retry)).toBe("fenced")
      expect(await f.store.stages.renewLease(second, LEASE_MS)).toBe("held")
      expect(await sweepFor(f, LEASE_MS)).toEqual({ requeued: 1, failed: 0 })
    })

    it("ignores a message of an earlier attempt", async () => {
      const { jobId } = await submit()
      const askFor = (attempt: number) =>
        f.store.stages.claim({ jobId, stage: "whisper", owner: "w", host: "host", leaseMs: LEASE_MS, attempt })
      const { claim: first } = await askFor(1)
      await f.store.stages.fail(first!, { ...retry, retryInMs: 60_000 })
      for (let copy = 1; copy <= 4; copy++) expect(await askFor(1)).toEqual({ claim: null, why: "duplicate" })
      expect((await askFor(2)).claim).toMatchObject({ attempt: 2, tries: 2 })
    })

    it("charges no attempt when every process was suspended for longer than the lease", async () => {
      const { jobId } = await submit({ plan: planOf(1) })
      const other = await f.another()
      await sweepFor(f, 5_000)
      const held = await claim(f.store, jobId, "whisper")
      for (let freeze = 0; freeze < 3; freeze++) {
        f.clock.advance(40_000)
        // Both sweepers run before the worker renews its lease.
        expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 0 })
        expect(await other.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 0 })
        expect(await f.store.stages.renewLease(held, LEASE_MS)).toBe("held")
        await sweepFor(f, 20_000)
      }
      expect(await f.store.stages.complete(held, resultOf("whisper"))).toBe(true)
      expect((await f.store.jobs.get(jobId))?.stage_attempts.whisper).toBe(1)
    })

    it("requeues the stage of a worker that did not survive the suspension one lease later", async () => {
      const { jobId } = await submit()
      await claim(f.store, jobId, "whisper")
      await f.store.stages.sweep(SWEEP)
      f.clock.advance(3_600_000)
      expect(await sweepFor(f, LEASE_MS - 1)).toEqual({ requeued: 0, failed: 0 })
      f.clock.advance(1)
      expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 1, failed: 0 })
      expect((await f.store.jobs.get(jobId))?.stages.whisper).toBe("queued")
    })

    it("recovers the stage of a dead worker after the clock was set back", async () => {
      const { jobId } = await submit()
      await claim(f.store, jobId, "whisper")
      await f.store.stages.sweep(SWEEP)
      f.clock.advance(-86_400_000)
      expect(await sweepFor(f, LEASE_MS)).toEqual({ requeued: 1, failed: 0 })
    })

    it("fails a job whose stage was deferred for longer than the limit, and keeps its transcript", async () => {
      const { jobId, sessionId } = await submit()
      await finish(f.store, jobId, "whisper")
      const deferral = { ...later, detail: "the server asks to wait", retryInMs: 600_000, maxDeferMs: 3_600_000 }
      const outcomes: string[] = []
      for (let i = 0; i < 10 && outcomes.at(-1) !== "error"; i++) {
        outcomes.push(await f.store.stages.fail(await claim(f.store, jobId, "l1"), deferral))
        f.clock.advance(600_000)
      }
      // The first deferral counts from its own time.
      expect(outcomes).toEqual([...Array(6).fill("queued"), "error"])
      const { error, progress, stages } = (await f.store.jobs.get(jobId))!
      expect(error).toEqual({
        stage: "l1",
        detail: expect.stringMatching(/deferred for longer than 1 hour.*asks to wait/),
      })
      expect(error?.detail).toMatch(/transcript is kept/)
      expect(progress).toBeNull()
      expect(stages.whisper).toBe("done")
      expect((await f.store.clips.get(sessionId))?.transcription).toEqual(wordsOf("one two three"))

      await f.store.jobs.retry(jobId)
      expect(await f.store.stages.fail(await claim(f.store, jobId, "l1"), deferral)).toBe("queued")
    })

    it("renews a lease, even after expiry if the stage was not claimed again", async () => {
      const { jobId } = await submit()
      const held = await claim(f.store, jobId, "whisper")
      f.clock.advance(LEASE_MS + 5)
      expect(await f.store.stages.renewLease(held, LEASE_MS)).toBe("held")
      f.clock.advance(LEASE_MS - 5)
      expect(await tryClaim(f.store, jobId, "whisper", "other")).toMatchObject({ why: "duplicate" })
      expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 0 })
      expect(await f.store.stages.complete(held, resultOf("whisper"))).toBe(true)
    })

    it("returns lost for an unknown job", async () => {
      const { jobId } = await submit()
      const held = await claim(f.store, jobId, "whisper")
      expect(await f.store.stages.renewLease({ ...held, jobId: "nobody" }, 10)).toBe("lost")
    })

    it.each([
      [["summarize_l1", "decide", "l2", "summarize_l2"]],
      [["decide", "l2", "summarize_l2", "summarize_l1"]],
    ] as [StageName[]][])("enqueues the join exactly once when the branches end as %j", async (order) => {
      const { jobId } = await submit()
      await finish(f.store, jobId, "whisper", "l1")
      const seen: StageName[] = []
      for (const stage of order) {
        expect((await f.store.jobs.get(jobId))?.stages.l0).toBe("pending")
        await finish(f.store, jobId, stage)
        seen.push(...(await dueStages(f.store)))
      }
      expect(seen.filter((s) => s === "l0")).toHaveLength(1)
      expect(seen.at(-1)).toBe("l0")
      expect((await f.store.jobs.get(jobId))?.stages.l0).toBe("queued")
    })

    it("never enqueues the join if a branch failed", async () => {
      const { jobId } = await submit()
      await finish(f.store, jobId, "whisper", "l1", "decide", "l2", "summarize_l2")
      await f.store.stages.fail(await claim(f.store, jobId, "summarize_l1"), never)
      expect(await dueStages(f.store)).not.toContain("l0")
      expect(await f.store.jobs.get(jobId)).toMatchObject({ status: "error", stages: { l0: "pending" } })
    })

    it("enqueues both branches after l1, with the number of the next attempt", async () => {
      const { jobId, sessionId } = await submit()
      await finish(f.store, jobId, "whisper")
      await publishDue(f.store)
      await finish(f.store, jobId, "l1")
      const bodies = (await publishDue(f.store)).map((m) => stageMessage.parse(JSON.parse(m.body)))
      const common = { version: 1, job_id: jobId, session_id: sessionId, attempt: 1 }
      expect(bodies.sort((a, b) => a.stage.localeCompare(b.stage))).toEqual([
        { ...common, stage: "decide", next: ["l2"] },
        { ...common, stage: "summarize_l1", next: [] },
      ])
    })

    it("retries after a delay and fails the job when the attempts are used up", async () => {
      const { jobId } = await submit({ plan: planOf(2) })
      await publishDue(f.store)
      expect(await f.store.stages.fail(await claim(f.store, jobId, "whisper"), retry)).toBe("queued")
      expect(await f.store.jobs.get(jobId)).toMatchObject({ status: "running", stages: { whisper: "queued" } })
      f.clock.advance(4999)
      expect(await publishDue(f.store)).toEqual([])
      f.clock.advance(1)
      const [message] = await publishDue(f.store)
      expect(JSON.parse(message!.body)).toMatchObject({ stage: "whisper", attempt: 2 })
      expect(await f.store.stages.fail(await claim(f.store, jobId, "whisper"), retry)).toBe("error")
      expect(await f.store.jobs.get(jobId)).toMatchObject({
        status: "error",
        error: { stage: "whisper", detail: "try again" },
        stages: { whisper: "error" },
        stage_attempts: { whisper: 2 },
      })
    })

    it("shows why a stage waits, limits the delay to ten minutes and clears the notice afterwards", async () => {
      const { jobId } = await submit()
      await publishDue(f.store)
      const held = await claim(f.store, jobId, "whisper")
      await f.store.stages.fail(held, { ...later, detail: "the server asks to wait", retryInMs: 86_400_000 })
      const until = new Date(f.clock.now() + 600_000).toISOString()
      const waits = { stage: "whisper", waiting: { reason: "the server asks to wait", until } }
      expect((await f.store.jobs.get(jobId))!.progress).toMatchObject(waits)
      expect(await publishDue(f.store)).toEqual([])
      f.clock.advance(599_999)
      expect(await publishDue(f.store)).toEqual([])
      f.clock.advance(1)
      expect(await publishDue(f.store)).toHaveLength(1)
      await claim(f.store, jobId, "whisper")
      expect((await f.store.jobs.get(jobId))!.progress).toBeNull()
    })

    it("defers a stage without using an attempt, each time with a new message", async () => {
      const { jobId } = await submit({ plan: planOf(1) })
      const ids = (await publishDue(f.store)).map((m) => m.id)
      for (let i = 1; i <= 5; i++) {
        const held = await claim(f.store, jobId, "whisper")
        expect(held).toMatchObject({ attempt: i, tries: 1 })
        expect(await f.store.stages.fail(held, later)).toBe("queued")
        expect(await publishDue(f.store)).toEqual([])
        f.clock.advance(7000)
        ids.push(...(await publishDue(f.store)).map((m) => m.id))
      }
      expect(new Set(ids).size).toBe(6)
    })

    it("passes the outputs of earlier stages to a claim", async () => {
      const { jobId, sessionId } = await submit()
      await finish(f.store, jobId, "whisper", "l1", "summarize_l1", "decide")
      const result = await tryClaim(f.store, jobId, "l2")
      expect(result).toMatchObject({
        job: {
          jobId,
          sessionId,
          title: "A talk",
          source: { kind: "file", path: "/recordings/talk.wav" },
          given: null,
          words: wordsOf("one two three"),
          duration_s: 3,
          state: { l1: { by: "l1" }, l1_summaries: { by: "summarize_l1" }, decide: { by: "decide" } },
        },
      })
    })

    it("shows progress while a stage runs and clears it when that stage ends", async () => {
      const { jobId } = await submit()
      await finish(f.store, jobId, "whisper", "l1")
      const a = await claim(f.store, jobId, "decide")
      const b = await claim(f.store, jobId, "summarize_l1")
      const progress = { stage: "decide", done: 2, total: 5, eta_s: 3 } as const
      await f.store.stages.reportProgress(a, progress)
      expect((await f.store.jobs.get(jobId))?.progress).toEqual(progress)
      await f.store.stages.complete(b, resultOf("summarize_l1"))
      expect((await f.store.jobs.get(jobId))?.progress).toEqual(progress)
      await f.store.stages.complete(a, resultOf("decide"))
      expect((await f.store.jobs.get(jobId))?.progress).toBeNull()
    })

    it("runs whisper again without using an attempt for the clip that the source turned out to be", async () => {
      const { jobId, sessionId } = await submit()
      const real = randomUUID()
      const first = await claim(f.store, jobId, "whisper")
      const moved = { kind: "moved", session_id: real, file_path: "/real.wav" } as const
      expect(await f.store.stages.complete(first, { stage: "whisper", output: moved })).toBe(true)
      expect(await f.store.jobs.get(jobId)).toMatchObject({
        session_id: sessionId,
        result_session_id: real,
        stages: { whisper: "queued" },
      })
      const again = await tryClaim(f.store, jobId, "whisper")
      expect(again).toMatchObject({ claim: { attempt: 2, tries: 1 }, job: { sessionId: real } })
      await f.store.stages.complete(again.claim!, resultOf("whisper"))
      expect(await f.store.clips.get(real)).not.toBeNull()
      expect(await f.store.clips.get(sessionId)).toBeNull()
    })

    it("clears the result clip when the source changes back, and fails the job if it keeps changing", async () => {
      const { jobId, sessionId } = await submit()
      const real = randomUUID()
      const move = async (session_id: string) =>
        f.store.stages.complete(await claim(f.store, jobId, "whisper"), {
          stage: "whisper",
          output: { kind: "moved", session_id, file_path: "/real.wav" },
        })
      await move(real)
      await move(sessionId)
      expect(await f.store.jobs.get(jobId)).not.toHaveProperty("result_session_id")
      for (let i = 0; i < 10 && (await f.store.jobs.get(jobId))?.status !== "error"; i++)
        await move(i % 2 ? sessionId : real)
      expect(await f.store.jobs.get(jobId)).toMatchObject({ status: "error", error: { stage: "whisper" } })
    })

    it("requeues a stage whose lease has expired and fails the job after too many crashes", async () => {
      const { jobId } = await submit({ plan: planOf(2) })
      const other = await submit()
      await publishDue(f.store)
      await claim(f.store, jobId, "whisper", "w1")
      expect(await sweepFor(f, LEASE_MS - 1)).toEqual({ requeued: 0, failed: 0 })
      f.clock.advance(1)
      expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 1, failed: 0 })
      expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 0 })
      expect(await dueStages(f.store)).toEqual(["whisper"])
      await claim(f.store, jobId, "whisper", "w2")
      await sweepFor(f, LEASE_MS - 1)
      f.clock.advance(1)
      expect(await tryClaim(f.store, jobId, "whisper", "w3")).toMatchObject({ why: "duplicate" })
      expect(await f.store.stages.sweep(SWEEP)).toEqual({ requeued: 0, failed: 1 })
      expect((await f.store.jobs.get(jobId))?.error).toEqual({
        stage: "whisper",
        detail: expect.stringMatching(/^The worker running whisper stopped responding 2 times/),
      })
      expect((await f.store.jobs.get(other.jobId))?.status).toBe("queued")
    })

    it("fails a job once if the workers of both branches died", async () => {
      const { jobId } = await submit({ plan: planOf(1) })
      await finish(f.store, jobId, "whisper", "l1")
      await claim(f.store, jobId, "decide")
      await claim(f.store, jobId, "summarize_l1")
      expect(await sweepFor(f, LEASE_MS)).toEqual({ requeued: 0, failed: 1 })
      const record = await f.store.jobs.get(jobId)
      expect(record?.status).toBe("error")
      expect([record?.stages.decide, record?.stages.summarize_l1].sort()).toEqual(["error", "pending"])
    })

    it("gives a stage whose worker died only to isolated claims until it has ended", async () => {
      const { jobId } = newJob()
      await f.store.jobs.submit(newJob({ jobId }))
      const ask = (alone: boolean) =>
        f.store.stages.claim({ jobId, stage: "whisper", owner: "w", host: "host", leaseMs: LEASE_MS, alone })
      expect((await ask(false)).claim?.attempt).toBe(1)
      await sweepFor(f, LEASE_MS - 1)
      f.clock.advance(1)
      expect(await ask(false)).toEqual({ claim: null, why: "duplicate" })
      await f.store.stages.sweep(SWEEP)
      expect(await ask(false)).toEqual({ claim: null, why: "duplicate" })
      const messages = (await f.store.outbox.listDue(9)).map((m) => JSON.parse(m.body).crashed)
      expect(messages).toEqual([undefined, true])
      const { claim: alone } = await ask(true)
      await f.store.stages.fail(alone!, { kind: "retry", detail: "no", retryInMs: 0 })
      expect((await ask(false)).claim?.attempt).toBe(3)
    })
  })
