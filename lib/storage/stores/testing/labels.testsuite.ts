import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StoredClipsQuery } from "../ports/clips.ts"
import { claim, newJob, type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

export const testLabels = (setup: StoreSetup) =>
  describe("tags and favorites", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const addClip = async (title: string, changes: object = {}): Promise<string> => {
      const id = randomUUID()
      const clip = { title, source_url: null, file_path: null }
      await f.store.clips.saveTranscript(id, clip, { ...transcriptOf("one two"), ...changes })
      f.clock.advance(1000)
      return id
    }
    const titlesOf = async (query: Partial<StoredClipsQuery>) =>
      (await f.store.clips.list({ limit: 50, ...query })).clips.map((clip) => clip.title)
    const tagsOf = async (id: string) => (await f.store.clips.get(id))?.tags

    it("are set, added and removed, without a difference between capital and small letters", async () => {
      const id = await addClip("talk")
      expect(await f.store.clips.get(id)).toMatchObject({ tags: [], favorite: false })
      const updated = await f.store.clips.update(id, { tags: ["Über", "bees", "Ants"], favorite: true })
      expect(updated).toMatchObject({ tags: ["Ants", "bees", "Über"], favorite: true })
      await f.store.clips.update(id, { add_tags: ["BEES", "wasps"], remove_tags: ["ÜBER", "unknown"] })
      expect(await tagsOf(id)).toEqual(["Ants", "bees", "wasps"])
      await f.store.clips.update(id, { tags: [], add_tags: ["only"], favorite: false })
      expect(await f.store.clips.get(id)).toMatchObject({ tags: ["only"], favorite: false })
    })

    it("keep the spelling that another clip uses for a tag", async () => {
      await f.store.clips.update(await addClip("first"), { tags: ["Interviews"] })
      const second = await addClip("second")
      await f.store.clips.updateLabels(second, { add_tags: ["interviews"] })
      expect(await tagsOf(second)).toEqual(["Interviews"])
      expect(await f.store.clips.listTags()).toEqual([{ name: "Interviews", clips: 2 }])
    })

    it("change the version of the clip only if they change, and survive a new transcript", async () => {
      const id = await addClip("talk")
      const etag = async () => (await f.store.clips.get(id))?.etag
      const before = await etag()
      expect(await f.store.clips.updateLabels(id, { add_tags: ["a"], favorite: true })).toBe(true)
      const changed = await etag()
      expect(changed).not.toBe(before)
      expect(await f.store.clips.updateLabels(id, { add_tags: ["A"], remove_tags: ["b"], favorite: true })).toBe(false)
      expect(await etag()).toBe(changed)
      await expect(f.store.clips.update(id, { tags: [] }, [before!])).rejects.toMatchObject({
        code: "precondition_failed",
        fields: { changed: ["tags"] },
      })
      await f.store.clips.saveTranscript(id, { title: "x", source_url: null, file_path: null }, transcriptOf("new"))
      expect(await f.store.clips.get(id)).toMatchObject({ tags: ["a"], favorite: true })
    })

    it("of an unknown clip are not changed, and a clip has a limited number", async () => {
      expect(await f.store.clips.updateLabels("nobody", { favorite: true })).toBeNull()
      const id = await addClip("talk")
      const tags = Array.from({ length: 50 }, (_, i) => `tag ${i}`)
      await f.store.clips.update(id, { tags })
      await expect(f.store.clips.updateLabels(id, { add_tags: ["one more"] })).rejects.toMatchObject({
        code: "invalid",
      })
      expect(await f.store.clips.updateLabels(id, { add_tags: ["one more"], remove_tags: ["tag 7"] })).toBe(true)
    })

    it("of a deleted clip are gone", async () => {
      const id = await addClip("talk")
      await f.store.clips.update(id, { tags: ["a"] })
      await f.store.clips.delete(id)
      expect(await f.store.clips.listTags()).toEqual([])
    })

    it("filter the list, beside length, state and IDs, and the first page counts what matches", async () => {
      const [one, two, three] = [
        await addClip("one", { duration_s: 60 }),
        await addClip("two", { duration_s: 600 }),
        await addClip("three", { duration_s: 3600 }),
      ]
      await f.store.clips.update(one, { tags: ["Bees", "honey"], favorite: true })
      await f.store.clips.update(two, { tags: ["bees"] })
      expect(await titlesOf({ tag: "BEES" })).toEqual(["two", "one"])
      expect(await titlesOf({ tag: "bees, Honey" })).toEqual(["one"])
      expect(await titlesOf({ tag: "ants" })).toEqual([])
      expect(await titlesOf({ favorite: "true" })).toEqual(["one"])
      expect(await titlesOf({ favorite: "false" })).toEqual(["three", "two"])
      expect(await titlesOf({ min_duration_s: 600 })).toEqual(["three", "two"])
      expect(await titlesOf({ min_duration_s: 60, max_duration_s: 600 })).toEqual(["one"])
      expect(await titlesOf({ ids: [three, one, "nobody"] })).toEqual(["three", "one"])
      expect(await titlesOf({ ids: [] })).toEqual([])
      const first = await f.store.clips.list({ limit: 1, tag: "bees" })
      expect(first.total).toBe(2)
      const rest = await f.store.clips.list({ limit: 1, tag: "bees", cursor: first.next_cursor! })
      expect([rest.clips.map(({ title }) => title), rest.total]).toEqual([["one"], undefined])
    })

    it("filter by the state of the latest job", async () => {
      const [ready, failed, running] = [await addClip("ready"), await addClip("failed"), await addClip("running")]
      const submit = async (sessionId: string) => {
        f.clock.advance(1000)
        const job = newJob({ sessionId })
        await f.store.jobs.submit(job)
        return job.jobId
      }
      await f.store.jobs.cancel(await submit(ready))
      await submit(running)
      expect(await titlesOf({ state: "processing" })).toEqual(["running"])
      expect(await titlesOf({ state: "ready" })).toEqual(["failed", "ready"])
      expect(await titlesOf({ state: "failed" })).toEqual([])
      const jobId = await submit(failed)
      const held = await claim(f.store, jobId, "whisper")
      await f.store.stages.fail(held, { kind: "never", detail: "no sound", retryInMs: 0 })
      expect(await titlesOf({ state: "failed" })).toEqual(["failed"])
      expect(await titlesOf({ state: "ready" })).toEqual(["ready"])
      await submit(failed)
      expect(await titlesOf({ state: "failed" })).toEqual([])
    })

    it("are counted with speakers and languages for the filters", async () => {
      const one = await addClip("one", { language: "de" })
      const two = await addClip("two")
      await addClip("three")
      await f.store.clips.update(one, { tags: ["a", "b"], speakers: { "0": "Ada", "1": "Bob" }, favorite: true })
      await f.store.clips.update(two, { tags: ["a"], speakers: { "0": "ada", "1": "Ada" } })
      expect(await f.store.clips.countFacets()).toEqual({
        total: 3,
        favorites: 1,
        tags: [
          { name: "a", clips: 2 },
          { name: "b", clips: 1 },
        ],
        languages: [
          { name: "en", clips: 2 },
          { name: "de", clips: 1 },
        ],
        speakers: [
          { name: "Ada", clips: 2 },
          { name: "Bob", clips: 1 },
        ],
      })
    })
  })

export const testSavedViews = (setup: StoreSetup) =>
  describe("saved views", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("are listed by name for all processes, changed and deleted", async () => {
      const views = f.store.savedViews
      const b = await views.create({ id: "1", name: "Bees", query: "tag=bees" })
      expect(b).toEqual({ id: "1", name: "Bees", query: "tag=bees", created_at: new Date(f.clock.now()).toISOString() })
      const a = await views.create({ id: "2", name: "ants", query: "" })
      expect(await (await f.another()).savedViews.list()).toEqual([a, b])
      expect(await views.update("1", { query: "tag=wasps" })).toEqual({ ...b, query: "tag=wasps" })
      expect(await views.update("1", { name: "BEES" })).toMatchObject({ name: "BEES", query: "tag=wasps" })
      expect(await views.update("nobody", { name: "x" })).toBeNull()
      expect([await views.delete("2"), await views.delete("2")]).toEqual([true, false])
      expect((await views.list()).map(({ id }) => id)).toEqual(["1"])
    })

    it("have different names", async () => {
      const views = f.store.savedViews
      await views.create({ id: "1", name: "Bees", query: "" })
      await views.create({ id: "2", name: "Ants", query: "" })
      await expect(views.create({ id: "3", name: "bees", query: "" })).rejects.toMatchObject({ code: "conflict" })
      await expect(views.update("2", { name: "BEES" })).rejects.toMatchObject({ code: "conflict" })
    })
  })
