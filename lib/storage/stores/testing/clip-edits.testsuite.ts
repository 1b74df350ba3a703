import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as z from "zod"
import { clipEntry, clipList } from "../../../domain/clips.ts"
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

const clipPage = clipList.extend({ clips: z.array(clipEntry.strict()) })
const named = (title: string) => ({ title, source_url: null, file_path: `/files/${title}.wav` })

export const testClipEdits = (setup: StoreSetup) =>
  describe("editing and deleting clips", () => {
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

    it("lists clips newest first in pages, without transcript and tree", async () => {
      const ids = [await clip("a"), await clip("b"), await clip("c")]
      const first = clipPage.strict().parse(await f.store.clips.list({ limit: 2 }))
      expect(first.clips.map((c) => c.id)).toEqual([ids[2], ids[1]])
      expect(first.clips[0]?.topics.map((t) => t.number)).toEqual(["1", "1.1", "1.1.1", "1.1.2", "1.2"])
      expect(first.clips[0]).not.toHaveProperty("transcription")
      expect(first.clips[0]).not.toHaveProperty("tree")
      const rest = await f.store.clips.list({ limit: 2, cursor: first.next_cursor! })
      expect(rest.clips.map((c) => c.id)).toEqual([ids[0]])
      expect(rest).not.toHaveProperty("next_cursor")
      await expect(f.store.clips.list({ limit: 2, cursor: "x" })).rejects.toMatchObject({ code: "invalid" })
    })

    it("lists every clip once across pages, even with equal times", async () => {
      const ids: string[] = []
      for (let i = 0; i < 5; i++) {
        ids.push(randomUUID())
        const named = { title: `clip ${i}`, source_url: null, file_path: null }
        await f.store.clips.saveTranscript(ids[i]!, named, transcriptOf("one"))
      }
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await f.store.clips.list({ limit: 2, ...(cursor && { cursor }) })
        seen.push(...page.clips.map((c) => c.id))
        cursor = page.next_cursor
      } while (cursor)
      expect(seen.toSorted()).toEqual(ids.toSorted())
    })

    it("updates title and speaker names, which survive a new job, and increments the map revision", async () => {
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

    it("removes the chunks of a renamed clip and accepts none with its old title or words", async () => {
      const id = await clip("talk")
      const put = (title: string, text: string) =>
        f.store.documents.put({
          id: randomUUID(),
          kind: "clip",
          source: id,
          fingerprint: text,
          embedModel: EMBEDDER,
          chunks: [{ text, context: title, metadata: { title }, vector: Float32Array.of(1, 0, 0, 0, 0) }],
          clip: { title, transcription: transcriptOf(text).words },
        })
      expect(await put("talk", "one two")).toBe(true)
      await f.store.clips.update(id, { title: "talk", speakers: { "0": "Ada" } })
      expect(await f.store.documents.getClipChunks(id)).toHaveLength(1)
      await f.store.clips.update(id, { title: "Mine" })
      expect(await f.store.documents.getClipChunks(id)).toEqual([])
      expect([await put("talk", "one two"), await put("Mine", "one"), await put("Mine", "one two")]).toEqual([
        false,
        false,
        true,
      ])
    })

    it("keeps the speaker names that an update omits and removes the empty ones", async () => {
      const id = await clip("talk")
      await f.store.clips.update(id, { speakers: { "0": "Ada", "1": "Grace" } })
      expect((await f.store.clips.update(id, { speakers: { "1": "" } }))?.speakers).toEqual({ "0": "Ada" })
      const revision = await f.store.map.getRevision()
      expect((await f.store.clips.update(id, {}))?.speakers).toEqual({ "0": "Ada" })
      expect(await f.store.map.getRevision()).toBe(revision)
      expect(await f.store.clips.update("nobody", { title: "x" })).toBeNull()
    })

    it("deletes a clip with its jobs, topics and the vectors that no other topic uses", async () => {
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

    it("returns the uploads of a deleted clip, but never a path of the user's own file", async () => {
      const id = randomUUID()
      await ended({ sessionId: id, source: { kind: "upload", path: "/data/uploads/ab.wav", name: "talk.wav" } })
      await ended({ sessionId: id, source: { kind: "upload", path: "/data/uploads/ab.mp3", name: "talk.mp3" } })
      await ended({ sessionId: id, source: { kind: "file", path: "/data/uploads/own.wav" } })
      expect((await f.store.clips.delete(id))?.uploads.toSorted()).toEqual([
        "/data/uploads/ab.mp3",
        "/data/uploads/ab.wav",
      ])
    })

    it("deletes the failed jobs and the upload of a recording that was never transcribed", async () => {
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

    it("rejects deleting a clip with an active job, whether it was submitted for this clip or moved to it", async () => {
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

    it("does not recreate a deleted clip when a worker completes its stage", async () => {
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

    it("stores a waveform for one version of a file and deletes it with the clip", async () => {
      const id = await clip("talk", "one")
      const wave = { duration_s: 1.5, peaks: [0, 128, 255] }
      await f.store.clips.saveWaveform(id, "a", wave)
      expect(await f.store.clips.getWaveform(id, "a")).toEqual(wave)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
      await f.store.clips.saveWaveform(id, "b", { duration_s: 2, peaks: [] })
      expect([
        await f.store.clips.getWaveform(id, "a"),
        (await f.store.clips.getWaveform(id, "b"))?.duration_s,
      ]).toEqual([null, 2])
      await f.store.clips.delete(id)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
      await f.store.clips.saveWaveform(id, "b", wave)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
    })
  })
