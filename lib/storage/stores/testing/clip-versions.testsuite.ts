import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clipEtag } from "../../../domain/clip-version.ts"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import { type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

const EDIT: WordEdit = { kind: "text", start_s: 0, end_s: 1, words: ["uno"] }

export const testClipVersions = (setup: StoreSetup) =>
  describe("versions of a clip", () => {
    let f: StoreFixture
    let id: string
    beforeEach(async () => {
      f = await setup()
      id = randomUUID()
      await createClip()
    })
    afterEach(() => f.teardown())

    const createClip = async () => {
      const about = { title: "talk", source_url: null, file_path: "/talk.wav" }
      await f.store.clips.saveTranscript(id, about, transcriptOf("one two three"))
      await f.store.topics.save(id, topicsOf("talk"))
    }
    const version = async () => (await f.store.clips.getVersion(id))!
    const etag = async () => clipEtag(await version())

    it("count the changes of each part", async () => {
      const { createdAt } = await version()
      f.clock.advance(1000)
      const initial = { title: 0, speakers: 0, transcript: 1, topics: 1 }
      expect(await version()).toMatchObject({ ...initial, createdAt, updatedAt: createdAt })
      await f.store.clips.update(id, { title: "Mine" })
      expect(await version()).toMatchObject({ ...initial, title: 1, updatedAt: createdAt + 1000 })
      await f.store.clips.update(id, { speakers: { "0": "Ada" } })
      await f.store.topics.edit(id, "1", { title: "Bees" })
      const { edits } = (await f.store.topics.get(id))!
      await f.store.topics.removeEdit(id, edits[0]!.id)
      const [edit] = (await f.store.clips.editWords(id, [EDIT]))!
      await f.store.clips.removeWordEdit(id, edit!.id)
      expect(await version()).toMatchObject({ title: 1, speakers: 1, transcript: 3, topics: 3 })
    })
    it("do not change if nothing does", async () => {
      const before = await version()
      await f.store.clips.update(id, { title: "talk", speakers: {} })
      expect(await version()).toEqual(before)
    })
    it("are the ETags of the clip and its topics", async () => {
      expect((await f.store.clips.get(id))?.etag).toBe(await etag())
      expect((await f.store.clips.update(id, { title: "Mine" }))?.etag).toBe(await etag())
      const edited = await f.store.topics.edit(id, "1", { title: "Bees" })
      expect(edited?.etag).toBe(clipEtag(await version(), ["topics"]))
      expect((await f.store.topics.get(id))?.etag).toBe(edited?.etag)
    })
    it("differ from those of a deleted clip with the same ID", async () => {
      const deleted = await etag()
      await f.store.clips.delete(id)
      expect(await f.store.clips.getVersion(id)).toBeNull()
      f.clock.advance(1)
      await createClip()
      expect(await etag()).not.toBe(deleted)
    })
    it("reject each change that names an older one, and nothing is written", async () => {
      await f.store.topics.edit(id, "1", { title: "Bees" })
      const [edit] = (await f.store.clips.editWords(id, [EDIT]))!
      const stale = [await etag()]
      const { edits } = (await f.store.topics.get(id))!
      await f.store.clips.update(id, { title: "Mine" })
      await f.store.topics.edit(id, "1", { title: "Wasps" })
      await f.store.clips.editWords(id, [EDIT])
      const before = [await f.store.clips.get(id), await f.store.clips.listWordEdits(id)]
      for (const change of [
        () => f.store.clips.update(id, { title: "Yours" }, stale),
        () => f.store.clips.delete(id, stale),
        () => f.store.clips.editWords(id, [EDIT], stale),
        () => f.store.clips.removeWordEdit(id, edit!.id, stale),
        () => f.store.topics.edit(id, "1", { title: "Ants" }, stale),
        () => f.store.topics.removeEdit(id, edits[0]!.id, stale),
      ])
        await expect(change()).rejects.toMatchObject({ code: "precondition_failed" })
      expect([await f.store.clips.get(id), await f.store.clips.listWordEdits(id)]).toEqual(before)
    })
    it("allow one of two simultaneous changes that name the same one", async () => {
      const stores = [f.store, await f.another()]
      const ifMatch = [await etag()]
      const results = await Promise.allSettled(
        stores.map((store, i) => store.clips.update(id, { title: `Title ${i}` }, ifMatch)),
      )
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    })
    it("allow changes that name the current one, and a deletion at last", async () => {
      await f.store.clips.update(id, { title: "Mine" }, [await etag()])
      await f.store.topics.edit(id, "1", { title: "Bees" }, [await etag()])
      const [edit] = (await f.store.clips.editWords(id, [EDIT], [await etag()]))!
      await f.store.clips.removeWordEdit(id, edit!.id, [await etag()])
      expect(await f.store.clips.delete(id, [await etag()])).toEqual({ uploads: [] })
    })
  })
