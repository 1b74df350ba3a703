import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clip as clipSchema } from "../../../domain/clips.ts"
import { embeddedText, sha256 } from "../../../domain/ids.ts"
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
  vectorOf,
  wordsOf,
} from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: `/files/${title}.wav` })

export const testClips = (setup: StoreSetup) =>
  describe("clips and the map", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("knows nothing of an unknown clip", async () => {
      expect(await f.store.clips.get("nobody")).toBeNull()
      expect(await f.store.topics.save("nobody", topicsOf("talk"))).toBe(false)
      expect(await f.store.map.getRevision()).toBe(0)
      expect(await f.store.map.getSnapshot()).toEqual({ revision: 0, clips: [], topics: [] })
    })

    it("takes title and source from the first writer, the transcript from the last", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, named("first"), transcriptOf("one two"))
      await f.store.topics.save(id, topicsOf("talk"))
      const before = clipSchema.parse(await f.store.clips.get(id))
      f.clock.advance(1000)
      const german = { ...transcriptOf("eins zwei drei"), language: "de", file_path: "/elsewhere.wav" }
      await f.store.clips.saveTranscript(id, named("second"), german)
      expect(await f.store.clips.get(id)).toEqual({
        ...before,
        transcription: wordsOf("eins zwei drei"),
        duration_s: 3,
        language: "de",
      })
    })

    it("fills in the file of a clip that was made without one", async () => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, { ...named("first"), file_path: null }, transcriptOf("one"))
      expect((await f.store.clips.get(id))?.file_path).toBeNull()
      await f.store.clips.saveTranscript(id, named("first"), { ...transcriptOf("one"), file_path: "/found.wav" })
      expect((await f.store.clips.get(id))?.file_path).toBe("/found.wav")
    })

    it("has empty topics until there are some", async () => {
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

    it("keeps words as they were given, whatever they hold", async () => {
      const id = randomUUID()
      const words = [{ word: "naïve\u0000 \"quote\" 'x' 🎧", start: 0.1, end: 0.30000000000000004, speaker: "Zoë" }]
      await f.store.clips.saveTranscript(id, named("odd"), { ...transcriptOf("x"), words })
      expect((await f.store.clips.get(id))?.transcription).toEqual(words)
    })

    it("numbers the topics of a tree and replaces them as a whole", async () => {
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

    it("makes the clip of a job by whisper's completion, and its topics by persist's", async () => {
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

    it("keeps the words that came with a submission for whisper alone to apply", async () => {
      const given = wordsOf("given by hand")
      const job = newJob({ transcription: given })
      await f.store.jobs.submit(job)
      expect(await f.store.clips.get(job.sessionId)).toBeNull()
      const result = await tryClaim(f.store, job.jobId, "whisper")
      expect(result).toMatchObject({ job: { given, words: null } })
      const columns = { ...transcriptOf("given by hand"), speech_engine: null, whisper_model: null }
      await f.store.stages.complete(result.claim!, { stage: "whisper", output: { kind: "words", ...columns } })
      expect(await f.store.clips.get(job.sessionId)).toMatchObject({ transcription: given, speech_engine: null })
    })

    it("shows whisper a stored transcript, unless it is to be made anew", async () => {
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

    it("gives the map by clip, oldest first, then in the order of the tree", async () => {
      const [newer, older] = ["0-newer", "1-older"]
      await f.store.clips.saveTranscript(older, named("older"), transcriptOf("one"))
      f.clock.advance(1)
      await f.store.clips.saveTranscript(newer, named("newer"), transcriptOf("one"))
      await f.store.topics.save(newer, topicsOf("b"))
      await f.store.topics.save(older, topicsOf("a"))
      const map = await f.store.map.getSnapshot()
      expect(map.revision).toBe(await f.store.map.getRevision())
      expect(map.clips).toMatchObject([
        { id: older, title: "older", speakers: {} },
        { id: newer, title: "newer", speakers: {} },
      ])
      expect(Date.parse(map.clips[1]!.date) - Date.parse(map.clips[0]!.date)).toBe(1)
      expect(map.topics.map((t) => `${t.clip_id} ${t.number}`)).toEqual(
        [older, newer].flatMap((id) => ["1", "1.1", "1.1.1", "1.1.2", "1.2"].map((n) => `${id} ${n}`)),
      )
      const [first] = map.topics
      expect(first).toMatchObject({ title: "a", text: "a. About a.", level: 1, start_s: 0, duration_s: 100 })
      for (const t of map.topics) expect(t).toMatchObject({ text: embeddedText(t), hash: sha256(t.text) })
      expect(
        (
          await f.store.map.getVectors(
            EMBEDDER,
            map.topics.map((t) => t.hash),
          )
        ).size,
      ).toBe(10)
    })

    it("tells who leads each topic, and tells it anew when words or topics change", async () => {
      const id = "0-led"
      const leads = async () => (await f.store.map.getSnapshot()).topics.map((t) => t.speaker)
      const said = (speakers: string) =>
        [...speakers].map((speaker, i) => ({ word: `w${i}`, start: 20 * i, end: 20 * i + 5, speaker }))
      await f.store.clips.saveTranscript(id, named("led"), { ...transcriptOf("one"), words: said("00111") })
      await f.store.topics.save(id, topicsOf("a"))
      const revision = await f.store.map.getRevision()
      const first = await leads()
      expect(first[0]).toBe("1")
      expect(first).toContain("0")
      expect(await f.store.map.getRevision()).toBe(revision)
      await f.store.clips.editWords(id, [{ kind: "merge", from: "1", into: "0" }])
      expect(await f.store.map.getRevision()).toBe(revision + 1)
      expect(new Set(await leads())).toEqual(new Set(["0"]))
      await f.store.clips.saveTranscript(id, named("led"), { ...transcriptOf("one"), words: said("22222") })
      expect(new Set(await leads())).toEqual(new Set(["2"]))
      await f.store.clips.saveTranscript(id, named("led"), { ...transcriptOf("one"), words: [] })
      expect(new Set(await leads())).toEqual(new Set([null]))
    })

    it("keeps vectors by hash and model, to the bit", async () => {
      const many = Array.from({ length: 2500 }, (_, i) => ({ hash: `h${i}`, vector: vectorOf(i) }))
      await f.store.map.putVectors("a", many)
      await f.store.map.putVectors("a", [{ hash: "h1", vector: vectorOf(1) }])
      await f.store.map.putVectors("b", [{ hash: "h1", vector: vectorOf(99) }])
      const found = await f.store.map.getVectors("a", [...many.map((v) => v.hash), "h1", "missing"])
      expect(found.size).toBe(2500)
      for (const { hash, vector } of many) expect(found.get(hash)).toEqual(vector)
      expect(await f.store.map.getVectors("b", ["h1", "h2"])).toEqual(new Map([["h1", vectorOf(99)]]))
      expect(await f.store.map.getVectors("a", [])).toEqual(new Map())
    })

    it("replaces a layout only by one that was made from it", async () => {
      const layout = (n: number) => ({ hashes: ["x", "y"], coords: Float32Array.from({ length: 6 }, (_, i) => i / n) })
      expect(await f.store.map.getLayout("m")).toBeNull()
      expect(await f.store.map.putLayout("m", layout(1), 3)).toBeNull()
      expect(await f.store.map.putLayout("m", layout(1), 0)).toEqual({ version: 1, ...layout(1) })
      const other = await f.another()
      const both = await Promise.all([f.store.map.putLayout("m", layout(2), 1), other.map.putLayout("m", layout(3), 1)])
      expect(both.filter(Boolean)).toHaveLength(1)
      expect(await f.store.map.getLayout("m")).toEqual(both.find(Boolean))
      expect((await f.store.map.getLayout("m"))?.version).toBe(2)
      expect(await f.store.map.getLayout("other")).toBeNull()
    })
  })
