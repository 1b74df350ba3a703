import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { HitReference } from "../../../domain/replacements.ts"
import { type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

const CLIP = { title: "talk", source_url: null, file_path: null }

export const testReplacements = (setup: StoreSetup) =>
  describe("replacements", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const what = (id: string) => ({
      id,
      find: "bees",
      replace_with: "wasps",
      whole_words: true,
      match_case: false,
    })
    const createClip = async (text: string) => {
      const id = randomUUID()
      await f.store.clips.saveTranscript(id, CLIP, transcriptOf(text))
      return id
    }
    const hit = (clip_id: string, at: number, text = "bees"): HitReference => ({
      clip_id,
      start_s: at,
      end_s: at + 0.5,
      speaker: "0",
      text,
    })
    const textOf = async (id: string) => (await f.store.clips.get(id))!.transcription.map(({ word }) => word).join(" ")

    it("replace hits by edits that survive another transcription, and are undone together", async () => {
      const [first, second] = [await createClip("Bees dance for bees"), await createClip("all bees")]
      const { store } = f
      expect(await store.replacements.apply(first, what("r"), [hit(first, 0, "Bees"), hit(first, 3)])).toEqual({
        edits: 2,
        skipped: [],
      })
      f.clock.advance(1000)
      await store.replacements.apply(second, what("r"), [hit(second, 1)])
      await store.clips.editWords(second, [{ kind: "text", start_s: 0, end_s: 0.5, words: ["both"] }])
      expect([await textOf(first), await textOf(second)]).toEqual(["Wasps dance for wasps", "both wasps"])
      await store.clips.saveTranscript(first, CLIP, transcriptOf("Bees dance with bees"))
      expect(await textOf(first)).toBe("Wasps dance with wasps")
      const listed = { id: "r", find: "bees", replace_with: "wasps", clips: 2, edits: 3 }
      expect(await store.replacements.list()).toEqual([
        { ...listed, created_at: new Date(f.clock.now() - 1000).toISOString() },
      ])
      expect((await store.replacements.listClips("r"))!.sort()).toEqual([first, second].sort())
      const version = await store.clips.getVersion(first)
      expect(await store.replacements.undo("r", first)).toBe(2)
      expect(await store.replacements.undo("r", first)).toBe(0)
      expect(await store.replacements.undo("r", second)).toBe(1)
      expect([await textOf(first), await textOf(second)]).toEqual(["Bees dance with bees", "both bees"])
      expect(await store.clips.getVersion(first)).not.toEqual(version)
      expect(await store.replacements.list()).toEqual([])
      expect(await store.replacements.listClips("unknown")).toBeNull()
    })

    it("leave hits alone whose words have changed, and report them", async () => {
      const id = await createClip("bees and bees and bees")
      const hits = [hit(id, 0), hit(id, 2), hit(id, 2), hit(id, 4)]
      await f.store.clips.editWords(id, [{ kind: "text", start_s: 2, end_s: 2.5, words: ["ants"] }])
      const changed = { clip_id: id, start_s: 2, text: "bees", reason: "changed" }
      expect(await f.store.replacements.apply(id, what("r"), hits)).toEqual({ edits: 2, skipped: [changed, changed] })
      expect(await textOf(id)).toBe("wasps and ants and wasps")
      expect(await f.store.replacements.apply(id, what("r"), [hit(id, 0)])).toMatchObject({ edits: 0 })
      expect(await f.store.replacements.apply("gone", what("r"), [hit("gone", 0)])).toEqual({
        edits: 0,
        skipped: [{ clip_id: "gone", start_s: 0, text: "bees", reason: "missing" }],
      })
    })
  })
