import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import { type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

const correct = (start_s: number, end_s: number, ...words: string[]): WordEdit => ({
  kind: "text",
  start_s,
  end_s,
  words,
})

export const testVocabulary = (setup: StoreSetup) =>
  describe("vocabulary", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const terms = async () => (await f.store.vocabulary.list()).map(({ term }) => term)
    const createClip = async (text: string) => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, { title: "talk", source_url: null, file_path: null }, transcriptOf(text))
      return id
    }

    it("lists entries by term, and adds phrases to the entry with the same term in other letter case", async () => {
      const first = await f.store.vocabulary.add({ term: "kubernetes", sounds_like: ["cooper netties"] })
      await f.store.vocabulary.add({ term: "Ada Lovelace", sounds_like: ["a da love lace"] })
      f.clock.advance(1000)
      const sounds_like = ["Cooper Netties", "cuban eddies"]
      const changed = await f.store.vocabulary.add({ term: "Kubernetes", sounds_like })
      expect(changed).toEqual({ ...first, term: "Kubernetes", sounds_like: ["cooper netties", "cuban eddies"] })
      expect(first.created_at).toBe(new Date(f.clock.now() - 1000).toISOString())
      expect(await f.store.vocabulary.list()).toEqual([
        expect.objectContaining({ term: "Ada Lovelace", sounds_like: ["a da love lace"] }),
        changed,
      ])
      const many = Array.from({ length: 19 }, (_, i) => `phrase ${i}`)
      await expect(f.store.vocabulary.add({ term: "KUBERNETES", sounds_like: many })).rejects.toMatchObject({
        code: "conflict",
        message: "The entry 'Kubernetes' can replace 20 phrases at most.",
      })
      expect(await f.store.vocabulary.add({ term: "Kubernetes", sounds_like: many.slice(1) })).toMatchObject({
        sounds_like: ["cooper netties", "cuban eddies", ...many.slice(1)],
      })
    })

    it("changes an entry, unless another one has its term", async () => {
      const { id } = await f.store.vocabulary.add({ term: "Ada", sounds_like: ["a da"] })
      await f.store.vocabulary.add({ term: "Bob", sounds_like: [] })
      expect(await f.store.vocabulary.update(id, { term: "Ida" })).toMatchObject({ id, sounds_like: ["a da"] })
      expect(await f.store.vocabulary.update(id, { term: "IDA", sounds_like: ["eye da"] })).toMatchObject({
        term: "IDA",
        sounds_like: ["eye da"],
      })
      expect(await f.store.vocabulary.update("unknown", { term: "Eve" })).toBeNull()
      await expect(f.store.vocabulary.update(id, { term: "bob" })).rejects.toMatchObject({
        code: "conflict",
        message: "The vocabulary already has the term 'bob'.",
      })
      expect(await terms()).toEqual(["Bob", "IDA"])
    })

    it("deletes entries, once", async () => {
      const { id } = await f.store.vocabulary.add({ term: "Ada", sounds_like: [] })
      await f.store.vocabulary.add({ term: "Bob", sounds_like: [] })
      expect(await f.store.vocabulary.delete(id)).toBe(true)
      expect(await f.store.vocabulary.delete(id)).toBe(false)
      expect(await terms()).toEqual(["Bob"])
    })

    it("suggests corrections that people have made, the most frequent first, without those that it contains", async () => {
      const first = await createClip("we run cuban eddies with hopper")
      const second = await createClip("cuban eddies again")
      await f.store.clips.editWords(first, [correct(2, 4, "Kubernetes,"), correct(5, 6, "Hopper")])
      await f.store.clips.editWords(second, [correct(0, 2, "Kubernetes"), correct(2, 3, "anew")])
      expect(await f.store.vocabulary.suggest()).toEqual([
        { term: "Kubernetes", sounds_like: "cuban eddies", count: 2 },
        { term: "anew", sounds_like: "again", count: 1 },
      ])
      await f.store.vocabulary.add({ term: "Kubernetes", sounds_like: ["Cuban Eddies"] })
      expect(await f.store.vocabulary.suggest()).toEqual([{ term: "anew", sounds_like: "again", count: 1 }])
    })
  })
