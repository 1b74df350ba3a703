import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clipList } from "../../../domain/clips.ts"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import type { NewJob } from "../ports/jobs.ts"
import {
  claim,
  EMBEDDER,
  finish,
  newJob,
  resultOf,
  type StoreFixture,
  type StoreSetup,
  topicsOf,
  transcriptOf,
} from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: `/files/${title}.wav` })

export const testClipEdits = (setup: StoreSetup) =>
  describe("clips in the hands of people", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const clip = async (title: string, topics = title): Promise<string> => {
      const id = randomUUID()
      f.clock.advance(1)
      await f.store.clips.saveTranscript(id, named(title), transcriptOf("one two"))
      await f.store.topics.save(id, topicsOf(topics))
      return id
    }
    const vectorsOf = async (topics: string) => {
      const hashes = topicsOf(topics).vectors.map((v) => v.hash)
      return (await f.store.map.getVectors(EMBEDDER, hashes)).size
    }
    const ended = async (changes: Partial<NewJob>): Promise<string> => {
      const job = newJob(changes)
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, ...STAGE_NAMES)
      return job.jobId
    }

    it("are listed newest first, a page at a time, without transcript and tree", async () => {
      const ids = [await clip("a"), await clip("b"), await clip("c")]
      const first = clipList.strict().parse(await f.store.clips.list({ limit: 2 }))
      expect(first.clips.map((c) => c.id)).toEqual([ids[2], ids[1]])
      expect(first.clips[0]?.topics.map((t) => t.number)).toEqual(["1", "1.1", "1.1.1", "1.1.2", "1.2"])
      expect(first.clips[0]).not.toHaveProperty("transcription")
      expect(first.clips[0]).not.toHaveProperty("tree")
      const rest = await f.store.clips.list({ limit: 2, cursor: first.next_cursor! })
      expect(rest.clips.map((c) => c.id)).toEqual([ids[0]])
      expect(rest).not.toHaveProperty("next_cursor")
      await expect(f.store.clips.list({ limit: 2, cursor: "x" })).rejects.toMatchObject({ code: "invalid" })
    })

    it("get a title and names that a re-run leaves alone, and the map learns of it", async () => {
      const id = await clip("talk")
      const before = await f.store.map.getRevision()
      expect([await f.store.clips.getTitle(id), await f.store.clips.getTitle("nobody")]).toEqual(["talk", null])
      const edited = await f.store.clips.update(id, { title: "Mine", speakers: { "0": "Ada", "1": "Grace" } })
      expect(edited).toMatchObject({ title: "Mine", speakers: { "0": "Ada", "1": "Grace" } })
      expect(await f.store.map.getRevision()).toBe(before + 1)
      const names = { "0": "Ada", "1": "Grace" }
      expect((await f.store.map.getSnapshot()).clips).toMatchObject([{ id, title: "Mine", speakers: names }])
      await ended({ sessionId: id, title: "again" })
      expect(await f.store.clips.get(id)).toMatchObject({ title: "Mine", speakers: { "0": "Ada", "1": "Grace" } })
    })

    it("keep the names that are not spoken of, and lose those that are emptied", async () => {
      const id = await clip("talk")
      await f.store.clips.update(id, { speakers: { "0": "Ada", "1": "Grace" } })
      expect((await f.store.clips.update(id, { speakers: { "1": "" } }))?.speakers).toEqual({ "0": "Ada" })
      const revision = await f.store.map.getRevision()
      expect((await f.store.clips.update(id, {}))?.speakers).toEqual({ "0": "Ada" })
      expect(await f.store.map.getRevision()).toBe(revision)
      expect(await f.store.clips.update("nobody", { title: "x" })).toBeNull()
    })

    it("go with their jobs, topics and the vectors that nobody else uses", async () => {
      const [mine, twin] = [await clip("mine", "same"), await clip("twin", "same")]
      const alone = await clip("alone")
      const job = await ended({ sessionId: mine })
      const other = await ended({ sessionId: twin })
      await f.store.topics.save(mine, topicsOf("same"))
      await f.store.topics.save(twin, topicsOf("same"))
      const before = await f.store.map.getRevision()
      expect(await f.store.clips.delete(mine)).toEqual({ uploads: [] })
      expect(await f.store.map.getRevision()).toBe(before + 1)
      expect(await f.store.clips.get(mine)).toBeNull()
      expect(await f.store.jobs.get(job)).toBeNull()
      expect((await f.store.jobs.get(other))?.status).toBe("done")
      expect((await f.store.map.getSnapshot()).clips.map((c) => c.id)).toEqual([twin, alone])
      expect(await vectorsOf("same")).toBe(5)
      await f.store.clips.delete(twin)
      expect([await vectorsOf("same"), await vectorsOf("alone")]).toEqual([0, 5])
      expect(await f.store.clips.delete(mine)).toBeNull()
    })

    it("tell which uploads are left over, and never a path of their owner's", async () => {
      const id = randomUUID()
      await ended({ sessionId: id, source: { kind: "upload", path: "/data/uploads/ab.wav", name: "talk.wav" } })
      await ended({ sessionId: id, source: { kind: "upload", path: "/data/uploads/ab.mp3", name: "talk.mp3" } })
      await ended({ sessionId: id, source: { kind: "file", path: "/data/uploads/own.wav" } })
      expect((await f.store.clips.delete(id))?.uploads.toSorted()).toEqual([
        "/data/uploads/ab.mp3",
        "/data/uploads/ab.wav",
      ])
    })

    it("go also where nothing was ever heard: the runs that failed and what was sent", async () => {
      const id = randomUUID()
      const job = newJob({ sessionId: id, source: { kind: "upload", path: "/data/uploads/ef.txt", name: "notes.txt" } })
      await f.store.jobs.submit(job)
      await expect(f.store.clips.delete(id)).rejects.toMatchObject({ code: "conflict" })
      const held = await claim(f.store, job.jobId, "whisper")
      await f.store.stages.fail(held, { kind: "never", detail: "no sound", retryInMs: 0 })
      expect(await f.store.clips.delete(id)).toEqual({ uploads: ["/data/uploads/ef.txt"] })
      expect(await f.store.jobs.get(job.jobId)).toBeNull()
      expect(await f.store.clips.delete(id)).toBeNull()
    })

    it("stay while a job of theirs runs, whichever name it came under", async () => {
      const id = await clip("talk")
      const job = newJob({ sessionId: id })
      await f.store.jobs.submit(job)
      await expect(f.store.clips.delete(id)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining(`job '${job.jobId}' is queued`),
      })
      await f.store.jobs.cancel(job.jobId)
      expect(await f.store.clips.delete(id)).not.toBeNull()
      const moving = newJob()
      await f.store.jobs.submit(moving)
      const target = await clip("target")
      const held = await claim(f.store, moving.jobId, "whisper")
      const moved = { kind: "moved", session_id: target, file_path: "/files/target.wav" } as const
      await f.store.stages.complete(held, { stage: "whisper", output: moved })
      await expect(f.store.clips.delete(target)).rejects.toMatchObject({ code: "conflict" })
    })

    it("are not brought back by a worker that was still at it", async () => {
      const id = await clip("talk")
      const job = newJob({ sessionId: id })
      await f.store.jobs.submit(job)
      const held = await claim(f.store, job.jobId, "whisper")
      await f.store.jobs.cancel(job.jobId)
      await f.store.clips.delete(id)
      expect(await f.store.stages.renewLease(held, 1000)).toBe("lost")
      expect(await f.store.stages.complete(held, resultOf("whisper"))).toBe(false)
      expect(await f.store.stages.fail(held, { kind: "later", detail: "", retryInMs: 0 })).toBe("fenced")
      expect(await f.store.clips.get(id)).toBeNull()
    })
  })
