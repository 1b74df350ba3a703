import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { sha256 } from "../../../domain/ids.ts"
import { topicSettings } from "../../../domain/jobs/jobs.ts"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import { clipTopics } from "../../../domain/topics/topic-edits.ts"
import { topicEmbeddingText } from "../../../domain/topics/topic-tree.ts"
import { finish, newJob, type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

/** A transcript with one word per second, as long as the tree of the fixtures. */
const talk = transcriptOf(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))

export const testTopics = (setup: StoreSetup) =>
  describe("topics and their edits", () => {
    let f: StoreFixture
    let id: string
    beforeEach(async () => {
      f = await setup()
      id = randomUUID()
      await f.store.clips.saveTranscript(id, { title: "talk", source_url: null, file_path: "/talk.wav" }, talk)
      await f.store.topics.save(id, topicsOf("talk"))
    })
    afterEach(() => f.teardown())

    const flat = async () => (await f.store.clips.get(id))!.topics.map((t) => [t.number, t.title, t.start_s])

    it("shows edits wherever topics are read and increments the map revision", async () => {
      const before = await f.store.map.getRevision()
      const answer = await f.store.topics.edit(id, "1.2", { title: "Bees", summary: "How they dance.", start_s: 49.8 })
      expect(clipTopics.strict().parse(answer)).toEqual(await f.store.topics.get(id))
      const clip = (await f.store.clips.get(id))!
      expect(clip.tree).toEqual(answer!.tree)
      expect(clip.tree.topics[0]!.children[1]).toMatchObject({
        title: "Bees",
        start_s: 50,
        edited: true,
        original: { title: "talk two", summary: "About talk two.", start_s: 60 },
      })
      expect((await flat()).at(-1)).toEqual(["1.2", "Bees", 50])
      expect((await f.store.clips.list({ limit: 1 })).clips[0]!.topics).toEqual(clip.topics)
      expect(await f.store.map.getRevision()).toBe(before + 1)
      const text = topicEmbeddingText({ title: "Bees", summary: "How they dance." })
      expect((await f.store.map.getSnapshot()).topics.at(-1)).toMatchObject({ title: "Bees", text, hash: sha256(text) })
    })

    it("keeps edits across topic runs and restores the original when an edit is removed", async () => {
      await f.store.topics.edit(id, "1.2", { title: "Bees" })
      await f.store.topics.edit(id, "1.1.2", { start_s: 30 })
      await finish(f.store, (await f.store.jobs.submit(newJob({ sessionId: id }))).job_id, ...STAGE_NAMES)
      expect((await flat()).map(([, title]) => title)).toContain("Bees")
      const { edits } = (await f.store.topics.get(id))!
      expect(edits.map((e) => [e.kind, e.topic])).toEqual([
        ["text", "1.2"],
        ["border", "1.1.2"],
      ])
      await f.store.topics.removeEdit(id, edits[1]!.id)
      const back = await f.store.topics.edit(id, "1.2", { title: null })
      const { tree } = topicsOf("talk")
      expect(back).toEqual({ clip_id: id, etag: back!.etag, tree, edits: [], can_undo: true, can_redo: false })
      expect(await flat()).toContainEqual(["1.2", "talk two", 60])
    })

    it("adds, merges and deletes topics wherever they are read, also in later topic runs", async () => {
      const suggested = { title: "Suggested", summary: "From the words." }
      const added = await f.store.topics.change(id, { action: "add", at_s: 79.6, level: 2 }, { suggested })
      expect(clipTopics.strict().parse(added)).toEqual(await f.store.topics.get(id))
      expect(added!.edits).toMatchObject([{ kind: "structure", at_s: 80, level: 2, topic: "1.3", title: "Suggested" }])
      expect((await flat()).at(-1)).toEqual(["1.3", "Suggested", 80])
      const text = topicEmbeddingText(suggested)
      expect((await f.store.map.getSnapshot()).topics.at(-1)).toMatchObject({ title: "Suggested", hash: sha256(text) })
      await f.store.topics.change(id, { action: "delete", topic: "1.1" })
      const shown = await flat()
      expect(shown.map(([number]) => number)).toEqual(["1", "1.1", "1.2"])
      await f.store.topics.save(id, topicsOf("later"))
      expect((await flat()).map(([number, , start_s]) => [number, start_s])).toEqual(
        shown.map(([number, , start_s]) => [number, start_s]),
      )
    })

    it("undoes and redoes each change, until another one is made", async () => {
      const { topics } = f.store
      const states = [await topics.get(id)]
      states.push(await topics.edit(id, "1.2", { title: "Bees", start_s: 50 }))
      f.clock.advance(1)
      states.push(await topics.change(id, { action: "split", topic: "1.2", at_s: 70, title: "Wasps" }))
      f.clock.advance(1)
      states.push(await topics.reset(id, "1.3"))
      f.clock.advance(1)
      states.push(await topics.change(id, { action: "merge", topic: "1.2", with: "previous" }))
      const contentOf = (state: (typeof states)[number]) => [
        state?.tree,
        state?.edits.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ]
      for (const state of states.slice(0, -1).reverse())
        expect(contentOf(await topics.step(id, "undo"))).toEqual(contentOf(state))
      await expect(topics.step(id, "undo")).rejects.toMatchObject({ code: "conflict" })
      for (const state of states.slice(1)) expect(contentOf(await topics.step(id, "redo"))).toEqual(contentOf(state))
      await topics.step(id, "undo")
      await topics.edit(id, "1", { title: "Other" })
      await expect(topics.step(id, "redo")).rejects.toMatchObject({ code: "conflict" })
      expect(await topics.get(id)).toMatchObject({ can_undo: true, can_redo: false })
      expect(await topics.step("nobody", "undo")).toBeNull()
    })

    it("can undo the last hundred changes", async () => {
      for (let i = 0; i < 102; i++) await f.store.topics.edit(id, "1", { title: `Title ${i}` })
      for (let i = 0; i < 100; i++) await f.store.topics.step(id, "undo")
      const oldest = await f.store.topics.get(id)
      expect(oldest).toMatchObject({ can_undo: false, can_redo: true, tree: { topics: [{ title: "Title 1" }] } })
    })

    it("rejects impossible edits and writes nothing", async () => {
      const before = await f.store.map.getRevision()
      const rejected = (call: Promise<unknown>, code: string) => expect(call).rejects.toMatchObject({ code })
      await rejected(f.store.topics.edit(id, "1.7", { title: "x" }), "not_found")
      await rejected(f.store.topics.edit(id, "1.2", { title: "x", start_s: 10 }), "invalid")
      await rejected(f.store.topics.removeEdit(id, "nothing"), "not_found")
      await rejected(f.store.topics.change(id, { action: "delete", topic: "1.7" }), "not_found")
      await rejected(f.store.topics.change(id, { action: "merge", topic: "1.2", with: "next" }), "invalid")
      expect(await f.store.topics.edit("nobody", "1", { title: "x" })).toBeNull()
      expect(await f.store.topics.removeEdit("nobody", "x")).toBeNull()
      expect(await f.store.topics.change("nobody", { action: "delete", topic: "1.2" })).toBeNull()
      expect(await f.store.topics.get("nobody")).toBeNull()
      expect(await f.store.map.getRevision()).toBe(before)
      expect((await f.store.topics.get(id))?.edits).toEqual([])
    })

    it("deletes edits with their clip", async () => {
      await f.store.topics.edit(id, "1", { title: "Mine" })
      await f.store.clips.delete(id)
      await f.store.clips.saveTranscript(id, { title: "talk", source_url: null, file_path: null }, talk)
      await f.store.topics.save(id, topicsOf("again"))
      expect((await f.store.topics.get(id))?.edits).toEqual([])
      expect(await f.store.topics.listRuns(id)).toHaveLength(1)
    })

    it("lists topic runs newest first, without edits", async () => {
      await f.store.topics.edit(id, "1", { title: "Mine" })
      f.clock.advance(1)
      const settings = topicSettings.parse({ provider: "builtin", min_subdivide_duration_s: 30 })
      await f.store.topics.save(id, topicsOf("second"), settings)
      f.clock.advance(1)
      const job = newJob({ sessionId: id })
      await f.store.jobs.submit(job)
      await finish(f.store, job.jobId, ...STAGE_NAMES)
      const runs = (await f.store.topics.listRuns(id))!
      expect(runs.map((r) => r.settings?.min_subdivide_duration_s ?? null)).toEqual([120, 30, null])
      expect(runs[0]).toMatchObject({ id: job.jobId, clip_id: id, provider: "builtin", llm_model: null, topics: 5 })
      expect((await f.store.topics.getRun(runs[1]!.id))?.tree).toEqual(topicsOf("second").tree)
      expect(await f.store.topics.getRun("nothing")).toBeNull()
      expect(await f.store.topics.listRuns("nobody")).toBeNull()
    })

    it("keeps at most twenty runs", async () => {
      for (let i = 0; i < 21; i++) {
        f.clock.advance(1)
        await f.store.topics.save(id, topicsOf(`run ${i}`))
      }
      const runs = (await f.store.topics.listRuns(id))!
      expect(runs).toHaveLength(20)
      expect((await f.store.topics.getRun(runs.at(-1)!.id))?.tree).toEqual(topicsOf("run 1").tree)
    })
  })
