import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { noteRequest } from "../../../domain/notes.ts"
import { type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

export const testNotes = (setup: StoreSetup) =>
  describe("notes", () => {
    let f: StoreFixture
    let clipId: string
    beforeEach(async () => {
      f = await setup()
      clipId = await createClip("the bees dance in the hive")
    })
    afterEach(() => f.teardown())

    const named = { title: "Talk", source_url: null, file_path: null }
    const createClip = async (text: string, id: string = randomUUID()): Promise<string> => {
      await f.store.clips.saveTranscript(id, named, transcriptOf(text))
      return id
    }
    const create = async (given: object, id: string = randomUUID()) => {
      f.clock.advance(1)
      return (await f.store.notes.create({ ...noteRequest.parse(given), id }))!
    }
    const list = async (query: object = {}) => (await f.store.notes.list({ limit: 50, ...query })).notes
    const idsOf = (notes: readonly { id: string }[]) => notes.map(({ id }) => id)

    it("quote the words of their range, with a color", async () => {
      const note = await create({ clip_id: clipId, start_s: 1, end_s: 3 }, "a")
      expect(note).toMatchObject({ quote: "bees dance", color: "yellow", text: "", clip_title: "Talk", speaker: null })
      expect(await f.store.notes.get("a")).toEqual(note)
      await f.store.clips.update(clipId, { speakers: { "0": "Ada" } })
      expect(await f.store.notes.get("a")).toMatchObject({ speaker: "Ada" })
      await expect(create({ clip_id: clipId, start_s: 50, end_s: 60 })).rejects.toMatchObject({ code: "invalid" })
    })

    it("exist on a clip, on its words and without a clip, and are listed newest first by page", async () => {
      await create(
        { text: "Buy a hive", sources: [{ title: "Talk", clip_id: clipId, start_s: 2, text: "dance" }] },
        "a",
      )
      await create({ clip_id: clipId, text: "Ask Ada" }, "b")
      await create({ clip_id: clipId, start_s: 0, end_s: 2, color: "pink", text: "Which bees?" }, "c")
      expect(
        await f.store.notes.create({ ...noteRequest.parse({ clip_id: randomUUID(), text: "x" }), id: "d" }),
      ).toBeNull()
      expect(idsOf(await list())).toEqual(["c", "b", "a"])
      const first = await f.store.notes.list({ limit: 2 })
      expect(idsOf(first.notes)).toEqual(["c", "b"])
      expect(idsOf(await list({ cursor: first.next_cursor }))).toEqual(["a"])
      expect(first.notes[0]).toMatchObject({ color: "pink", quote: "the bees" })
      expect((await f.store.notes.get("a"))!.sources).toEqual([
        { title: "Talk", clip_id: clipId, start_s: 2, text: "dance" },
      ])
    })

    it("are filtered by words of text and quote, clip, color and kind", async () => {
      const other = await createClip("nothing here")
      await create({ clip_id: clipId, start_s: 1, end_s: 3, color: "green" }, "a")
      await create({ clip_id: clipId, start_s: 1, end_s: 2, text: "Decisions of the queen" }, "b")
      await create({ clip_id: other, text: "Nothing decided" }, "c")
      expect(idsOf(await list({ q: "bee" }))).toEqual(["b", "a"])
      expect(idsOf(await list({ q: "decision queen" }))).toEqual(["b"])
      expect(idsOf(await list({ q: "queen dec" }))).toEqual(["b"])
      expect(idsOf(await list({ q: "dec queen" }))).toEqual([])
      expect(idsOf(await list({ clip_id: clipId, kind: "highlight" }))).toEqual(["a"])
      expect(idsOf(await list({ kind: "note" }))).toEqual(["c", "b"])
      expect(idsOf(await list({ color: "green" }))).toEqual(["a"])
    })

    it("change by version, and a note without words keeps a text", async () => {
      const note = await create({ clip_id: clipId, text: "One" }, "a")
      f.clock.advance(5)
      const changed = await f.store.notes.update("a", { text: "Two" }, [note.etag])
      expect(changed).toMatchObject({ text: "Two", created_at: note.created_at })
      expect(changed!.updated_at).not.toBe(note.updated_at)
      for (const change of [
        () => f.store.notes.update("a", { text: "Three" }, [note.etag]),
        () => f.store.notes.delete("a", [note.etag]),
      ])
        await expect(change()).rejects.toMatchObject({
          code: "precondition_failed",
          fields: { etag: changed!.etag },
        })
      await expect(f.store.notes.update("a", { text: "" })).rejects.toMatchObject({ code: "invalid" })
      await expect(f.store.notes.update("a", { color: "pink" })).rejects.toMatchObject({ code: "invalid" })
      expect(await f.store.notes.update("b", { text: "x" })).toBeNull()
      expect(await f.store.notes.delete("a", [changed!.etag])).toBe(true)
      expect(await f.store.notes.delete("a")).toBe(false)
      expect(await list()).toEqual([])
    })

    it("keep their time and follow corrections and transcriptions", async () => {
      await create({ clip_id: clipId, start_s: 1, end_s: 3, text: "!" }, "a")
      const [edit] = (await f.store.clips.editWords(clipId, [
        { kind: "text", start_s: 1, end_s: 1.5, of: "0", words: ["Beads"] },
      ]))!
      expect(await f.store.notes.get("a")).toMatchObject({ quote: "Beads dance", start_s: 1, end_s: 3 })
      expect(idsOf(await list({ q: "bees" }))).toEqual([])
      await f.store.clips.removeWordEdit(clipId, edit!.id)
      expect(idsOf(await list({ q: "bees" }))).toEqual(["a"])
      await createClip("a bee dances", clipId)
      expect(await f.store.notes.get("a")).toMatchObject({ quote: "bee dances", text: "!" })
      await createClip("silence", clipId)
      expect(await f.store.notes.get("a")).toMatchObject({ quote: "bee dances" })
    })

    it("are found by the library search, and deleted with their clip", async () => {
      await create({ clip_id: clipId, start_s: 1, end_s: 3, text: "Check the hive" }, "a")
      await create({ text: "Hives of the library" }, "b")
      const hits = (await f.store.library.search({ q: "hive", limit: 10 })).notes
      expect(hits).toEqual([
        {
          id: "b",
          clip_id: null,
          clip_title: null,
          start_s: null,
          color: null,
          text: "Hives of the library",
          marks: [[0, 5]],
        },
        {
          id: "a",
          clip_id: clipId,
          clip_title: "Talk",
          start_s: 1,
          color: "yellow",
          text: "Check the hive",
          marks: [[10, 14]],
        },
      ])
      expect((await f.store.library.search({ q: "bees dance", limit: 10 })).notes).toMatchObject([
        { text: "bees dance" },
      ])
      await f.store.clips.delete(clipId)
      expect(idsOf(await list())).toEqual(["b"])
    })
  })
