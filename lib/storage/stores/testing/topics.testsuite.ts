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
      expect(back).toEqual({ clip_id: id, etag: back!.etag, tree: topicsOf("talk").tree, edits: [] })
      expect(await flat()).toContainEqual(["1.2", "talk two", 60])
    })

    it("rejects impossible edits and writes nothing", async () => {
      const before = await f.store.map.getRevision()
      const rejected = (call: Promise<unknown>, code: string) => expect(call).rejects.toMatchObject({ code })
      await rejected(f.store.topics.edit(id, "1.7", { title: "x" }), "not_found")
      await rejected(f.store.topics.edit(id, "1.2", { title: "x", start_s: 10 }), "invalid")
      await rejected(f.store.topics.removeEdit(id, "nothing"), "not_found")
      expect(await f.store.topics.edit("nobody", "1", { title: "x" })).toBeNull()
      expect(await f.store.topics.removeEdit("nobody", "x")).toBeNull()
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
