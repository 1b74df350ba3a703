import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clip as clipSchema } from "../../../domain/clips.ts"
import { jobOptions } from "../../../domain/jobs/jobs.ts"
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
  treeOf,
  tryClaim,
  wordsOf,
} from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: `/files/${title}.wav` })

export const testClips = (setup: StoreSetup) =>
  describe("clips", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("returns null for an unknown clip", async () => {
      expect(await f.store.clips.get("nobody")).toBeNull()
      expect(await f.store.topics.save("nobody", topicsOf("talk"))).toBe(false)
      expect(await f.store.map.getRevision()).toBe(0)
      expect(await f.store.map.getSnapshot()).toEqual({ revision: 0, clips: [], topics: [] })
    })

    it("keeps title and source of the first writer and the transcript of the last", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, named("first"), transcriptOf("one two"))
      await f.store.topics.save(id, topicsOf("talk"))
      const before = clipSchema.parse(await f.store.clips.get(id))
      f.clock.advance(1000)
      const german = { ...transcriptOf("eins zwei drei"), language: "de", file_path: "/elsewhere.wav" }
      await f.store.clips.saveTranscript(id, named("second"), german)
      expect(await f.store.clips.get(id)).toEqual({
        ...before,
        etag: expect.not.stringMatching(before.etag!),
        transcription: wordsOf("eins zwei drei"),
        duration_s: 3,
        language: "de",
      })
    })

    it("fills in the file path of a clip that was created without one", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, { ...named("first"), file_path: null }, transcriptOf("one"))
      expect((await f.store.clips.get(id))?.file_path).toBeNull()
      await f.store.clips.saveTranscript(id, named("first"), { ...transcriptOf("one"), file_path: "/found.wav" })
      expect((await f.store.clips.get(id))?.file_path).toBe("/found.wav")
    })

    it("returns an empty topic tree until topics are saved", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, named("talk"), transcriptOf("one"))
      expect(await f.store.clips.get(id)).toMatchObject({
        topics: [],
        tree: { topics: [] },
        speakers: {},
        embed_model: null,
      })
      expect((await f.store.map.getSnapshot()).clips).toEqual([])
    })

    it("stores words unchanged, with any characters", async () => {
      const id = randomUUID()
      const words = [{ word: "naïve\u0000 \"quote\" 'x' 🎧", start: 0.1, end: 0.30000000000000004, speaker: "Zoë" }]
      await f.store.clips.saveTranscript(id, named("odd"), { ...transcriptOf("x"), words })
      expect((await f.store.clips.get(id))?.transcription).toEqual(words)
    })

    it("numbers the topics of a tree and replaces all of them on save", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, named("talk"), transcriptOf("one"))
      await f.store.topics.save(id, topicsOf("old"))
      expect(await f.store.topics.save(id, topicsOf("talk"))).toBe(true)
      const saved = await f.store.clips.get(id)
      expect(saved).toMatchObject({ tree: treeOf("talk"), provider: "builtin", llm_model: null, embed_model: EMBEDDER })
      expect(saved?.topics.map((t) => [t.number, t.level, t.title, t.start_s, t.duration_s])).toEqual([
        ["1", 1, "talk", 0, 100],
        ["1.1", 2, "talk one", 0, 60],
        ["1.1.1", 3, "talk one a", 0, 20],
        ["1.1.2", 3, "talk one b", 20, 40],
        ["1.2", 2, "talk two", 60, 40],
      ])
    })

    it("creates the clip when whisper completes, and its topics when persist completes", async () => {
      const job = newJob({ source: { kind: "youtube", url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" } })
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, "whisper")
      expect(await f.store.clips.get(job.sessionId)).toMatchObject({
        title: "A talk",
        source_url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        file_path: null,
        transcription: wordsOf("one two three"),
        speech_engine: "pocketsphinx",
      })
      const before = await f.store.map.getRevision()
      await finish(f.store, job.jobId, "l1", "decide", "l2", "summarize_l1", "summarize_l2", "l0")
      expect(await f.store.map.getRevision()).toBe(before)
      await finish(f.store, job.jobId, "persist")
      expect(await f.store.map.getRevision()).toBe(before + 1)
      const record = await f.store.jobs.get(job.jobId)
      expect(record?.status).toBe("done")
      expect(record?.finished_at).toBeDefined()
      expect((await f.store.clips.get(job.sessionId))?.tree).toEqual(treeOf("talk"))
    })

    it("passes a submitted transcript to the whisper stage and writes it only when that completes", async () => {
      const given = { words: wordsOf("given by hand"), estimated_times: true }
      const job = newJob({ transcription: given })
      await f.store.jobs.submit(job)
      expect(await f.store.clips.get(job.sessionId)).toBeNull()
      const result = await tryClaim(f.store, job.jobId, "whisper")
      expect(result).toMatchObject({ job: { given, words: null } })
      const columns = { ...transcriptOf("given by hand"), speech_engine: null, whisper_model: null }
      await f.store.stages.complete(result.claim!, { stage: "whisper", output: { kind: "words", ...columns } })
      expect(await f.store.clips.get(job.sessionId)).toMatchObject({ transcription: given.words, speech_engine: null })
    })

    it("passes a stored transcript to the whisper stage unless re-transcription is forced", async () => {
      const sessionId = randomUUID()
      await f.store.clips.saveTranscript(sessionId, named("talk"), transcriptOf("from before"))
      const plain = newJob({ sessionId })
      const forced = newJob({ sessionId, options: jobOptions.parse({ force_retranscribe: true }) })
      await f.store.jobs.submit(plain)
      await f.store.jobs.submit(forced)
      const anew = await tryClaim(f.store, forced.jobId, "whisper")
      expect(anew).toMatchObject({ job: { words: null } })
      const kept = await tryClaim(f.store, plain.jobId, "whisper")
      expect(kept).toMatchObject({ job: { words: wordsOf("from before") } })
      await f.store.stages.complete(kept.claim!, { stage: "whisper", output: { kind: "kept" } })
      expect(await f.store.clips.get(sessionId)).toMatchObject({ title: "talk", transcription: wordsOf("from before") })
      expect(await claim(f.store, plain.jobId, "l1")).toMatchObject({ attempt: 1 })
      await f.store.stages.complete(anew.claim!, resultOf("whisper"))
      expect(await tryClaim(f.store, forced.jobId, "l1")).toMatchObject({ job: { words: wordsOf("one two three") } })
    })
  })
