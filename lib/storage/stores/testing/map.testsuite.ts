import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { sha256 } from "../../../domain/ids.ts"
import { countTerms } from "../../../domain/text/terms.ts"
import { topicEmbeddingText } from "../../../domain/topics/topic-tree.ts"
import { EMBEDDER, type StoreFixture, type StoreSetup, topicsOf, transcriptOf, vectorOf } from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: `/files/${title}.wav` })

export const testMap = (setup: StoreSetup) =>
  describe("the map", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("orders the topics of the map by clip, oldest first, then by number", async () => {
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
      for (const t of map.topics) expect(t).toMatchObject({ text: topicEmbeddingText(t), hash: sha256(t.text) })
      expect(
        (
          await f.store.map.getVectors(
            EMBEDDER,
            map.topics.map((t) => t.hash),
          )
        ).size,
      ).toBe(10)
    })

    it("computes the leading speaker of each topic, and again after words or topics change", async () => {
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

    it("describes what is said in each topic, and again after words change", async () => {
      const id = "0-said"
      const said = (text: string) =>
        text.split(" ").map((word, i) => ({ word, start: 10 * i, end: 10 * i + 5, speaker: "0" }))
      const readSpeech = async () => {
        const { topics } = await f.store.map.getSnapshot()
        const speech = await f.store.map.getSpeech(topics.map((topic) => topic.speechHash))
        return topics.map((topic) => speech.get(topic.speechHash)!)
      }
      await f.store.clips.saveTranscript(id, named("said"), {
        ...transcriptOf("one"),
        words: said("bees dance on bees"),
      })
      await f.store.topics.save(id, topicsOf("a"))
      const [recording] = await readSpeech()
      expect(recording!.terms).toEqual(countTerms(["bees dance on bees"]))
      expect(recording!.phrases).toEqual([{ key: "bee", form: "bees", count: 2 }])
      await f.store.clips.editWords(id, [{ kind: "text", start_s: 0, end_s: 5, words: ["wasps"] }])
      const [edited] = await readSpeech()
      expect(edited!.hash).not.toBe(recording!.hash)
      expect(edited!.terms).toEqual(countTerms(["wasps dance on bees"]))
      expect(await f.store.map.getSpeech(["unknown"])).toEqual(new Map())
      expect(await f.store.map.getSpeech([recording!.hash])).toEqual(new Map())
    })

    it("deletes what is said in topics that new topics replace", async () => {
      const id = "0-replaced"
      await f.store.clips.saveTranscript(id, named(id), transcriptOf("one two three"))
      await f.store.topics.save(id, topicsOf("a"))
      const readHashes = async () => (await f.store.map.getSnapshot()).topics.map((topic) => topic.speechHash)
      const before = await readHashes()
      const [whole] = topicsOf("b").tree.topics
      await f.store.topics.save(id, {
        ...topicsOf("b"),
        tree: { ...topicsOf("b").tree, topics: [{ ...whole!, children: [] }] },
      })
      const after = await readHashes()
      const gone = before.filter((hash) => !after.includes(hash))
      expect(gone).not.toEqual([])
      expect(await f.store.map.getSpeech(gone)).toEqual(new Map())
      expect((await f.store.map.getSpeech(after)).size).toBe(1)
    })

    it("deletes what is said in a deleted clip, unless another clip says it, too", async () => {
      for (const id of ["0-first", "1-second"]) {
        await f.store.clips.saveTranscript(id, named(id), transcriptOf("one two three"))
        await f.store.topics.save(id, topicsOf("a"))
      }
      const hashes = (await f.store.map.getSnapshot()).topics.map((topic) => topic.speechHash)
      await f.store.clips.delete("0-first")
      expect((await f.store.map.getSpeech(hashes)).size).toBe(new Set(hashes).size)
      await f.store.clips.delete("1-second")
      expect(await f.store.map.getSpeech(hashes)).toEqual(new Map())
    })

    it("stores vectors bit for bit by hash and model", async () => {
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

    it("replaces a layout only if the version matches", async () => {
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
