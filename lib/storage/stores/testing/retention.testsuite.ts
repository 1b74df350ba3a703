import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import type { OldRows } from "../ports/retention.ts"
import { claim, finish, newJob, type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

const DAY_MS = 86_400_000
const LIMITS = { jobsMs: 30 * DAY_MS, failedUploadsMs: 7 * DAY_MS, outputsMs: DAY_MS, topicRuns: 2 }
const NOTHING: OldRows = { jobs: 0, outputs: 0, topicRuns: 0, vectors: 0, speech: 0, idempotencyKeys: 0 }

export const testRetention = (setup: StoreSetup) =>
  describe("retention", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const submit = async (): Promise<string> => {
      const job = newJob()
      await f.store.jobs.submit(job)
      return job.jobId
    }
    /** Counts what is old, deletes it, and expects both to agree. */
    const deleteOld = async (limits = LIMITS): Promise<OldRows> => {
      const counted = await f.store.retention.count(limits)
      expect(await f.store.retention.deleteBatch(limits)).toEqual(counted)
      expect(await f.store.retention.count(limits)).toEqual(NOTHING)
      return counted
    }

    it("deletes jobs that ended longer ago than the limit, and no active one", async () => {
      const [cancelled, failed, queued] = [await submit(), await submit(), await submit()]
      await f.store.jobs.cancel(cancelled)
      await f.store.stages.fail(await claim(f.store, failed, "whisper"), { kind: "never", detail: "no", retryInMs: 0 })
      f.clock.advance(30 * DAY_MS)
      expect(await deleteOld()).toEqual(NOTHING)
      f.clock.advance(1)
      const young = await submit()
      await f.store.jobs.cancel(young)
      expect(await deleteOld()).toEqual({ ...NOTHING, jobs: 2 })
      expect(await Promise.all([cancelled, failed].map((id) => f.store.jobs.get(id)))).toEqual([null, null])
      for (const id of [queued, young]) expect(await f.store.jobs.get(id)).toMatchObject({ job_id: id })
    })

    it("deletes failed jobs of uploads that were never transcribed sooner, and keeps those with a transcript", async () => {
      const submitUpload = async () => {
        const path = `/uploads/${randomUUID()}.wav`
        const job = { ...newJob(), source: { kind: "upload", path, name: "a.wav" } as const }
        await f.store.jobs.submit(job)
        return job.jobId
      }
      const [failed, transcribed, queued] = [await submitUpload(), await submitUpload(), await submitUpload()]
      const ofPath = await submit()
      for (const id of [failed, ofPath])
        await f.store.stages.fail(await claim(f.store, id, "whisper"), { kind: "never", detail: "no", retryInMs: 0 })
      await finish(f.store, transcribed, "whisper")
      await f.store.jobs.cancel(transcribed)
      f.clock.advance(7 * DAY_MS)
      expect(await deleteOld()).toEqual(NOTHING)
      f.clock.advance(1)
      expect(await deleteOld()).toEqual({ ...NOTHING, jobs: 1 })
      expect(await f.store.jobs.get(failed)).toBeNull()
      for (const id of [transcribed, queued, ofPath]) expect(await f.store.jobs.get(id)).toMatchObject({ job_id: id })
    })

    it("keeps a cancelled job while a worker may still execute one of its stages", async () => {
      const id = await submit()
      await claim(f.store, id, "whisper")
      await f.store.jobs.cancel(id)
      expect(await deleteOld({ ...LIMITS, jobsMs: -1 })).toEqual(NOTHING)
      f.clock.advance(DAY_MS)
      expect(await deleteOld({ ...LIMITS, jobsMs: -1 })).toEqual({ ...NOTHING, jobs: 1 })
    })

    it("deletes the outputs of finished jobs, and keeps those that a retry needs", async () => {
      const [done, failed] = [await submit(), await submit()]
      await finish(f.store, done, ...STAGE_NAMES)
      await finish(f.store, failed, "whisper", "l1")
      await f.store.stages.fail(await claim(f.store, failed, "decide"), { kind: "never", detail: "no", retryInMs: 0 })
      expect(await deleteOld()).toEqual(NOTHING)
      f.clock.advance(DAY_MS + 1)
      expect(await deleteOld()).toEqual({ ...NOTHING, outputs: 6 })
      expect((await f.store.jobs.get(done))!.status).toBe("done")
      await f.store.jobs.retry(failed)
      const held = await f.store.stages.claim({
        jobId: failed,
        stage: "decide",
        owner: "w",
        host: "h",
        leaseMs: 1000,
      })
      expect(held.claim && held.job.state).toMatchObject({ l1: { by: "l1" } })
    })

    it("keeps the newest topic runs of each clip", async () => {
      const clip = randomUUID()
      const about = { title: "talk", source_url: null, file_path: "/talk.wav" }
      await f.store.clips.saveTranscript(clip, about, transcriptOf("one two three"))
      for (let run = 0; run < 4; run++) {
        await f.store.topics.save(clip, topicsOf(`run ${run}`))
        f.clock.advance(1)
      }
      const before = (await f.store.topics.listRuns(clip))!
      expect(await deleteOld()).toMatchObject({ topicRuns: 2 })
      expect(await f.store.topics.listRuns(clip)).toEqual(before.slice(0, 2))
    })

    it("deletes vectors that no topic uses any more, and keeps the others", async () => {
      const clip = randomUUID()
      const about = { title: "talk", source_url: null, file_path: "/talk.wav" }
      await f.store.clips.saveTranscript(clip, about, transcriptOf("one two three"))
      const [old, current] = [topicsOf("before"), topicsOf("after")]
      for (const output of [old, current]) await f.store.topics.save(clip, output)
      const hashes = (output: typeof old) => output.vectors.map((v) => v.hash)
      expect(await deleteOld()).toMatchObject({ vectors: old.vectors.length })
      const kept = await f.store.map.getVectors(current.embed_model, [...hashes(old), ...hashes(current)])
      expect([...kept.keys()].toSorted()).toEqual(hashes(current).toSorted())
    })

    it("deletes idempotency keys after 24 hours, unless a request is running with one", async () => {
      const { idempotency } = f.store
      const claim = async (key: string, leaseMs: number) => {
        const result = await idempotency.claim({ key, fingerprint: "" }, { leaseMs })
        return result.kind === "run" ? result.claim : null
      }
      await idempotency.complete((await claim("done", 1))!, { status: 200, headers: {}, body: "" })
      await claim("running", 2 * DAY_MS)
      f.clock.advance(DAY_MS - 1)
      expect(await deleteOld()).toEqual(NOTHING)
      f.clock.advance(1)
      expect(await deleteOld()).toEqual({ ...NOTHING, idempotencyKeys: 1 })
      expect([await claim("done", 1), await claim("running", 1)]).toEqual([expect.anything(), null])
    })

    it("measures the tables and returns the last measurement", async () => {
      expect(await f.store.retention.listTableSizes()).toEqual([])
      for (let i = 0; i < 50; i++) await submit()
      const sizes = await f.store.retention.measureTables()
      const stages = sizes.find(({ table }) => table === "job_stages")!
      expect(stages.bytes).toBeGreaterThan(20_000)
      const listed = await f.store.retention.listTableSizes()
      expect(listed.find(({ table }) => table === "job_stages")).toEqual(stages)
      expect(listed.map(({ bytes }) => bytes)).toEqual(listed.map(({ bytes }) => bytes).toSorted((a, b) => b - a))
    })
  })
