import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { SpeakerEmbeddings } from "../../../domain/people/speaker-embeddings.ts"
import { claim, newJob, type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

const THRESHOLDS = { apply: 0.8, suggest: 0.5, margin: 0.1, minSeconds: 2 }

/** Directions of unit length: embeddings of voices that have nothing in common. */
const ADA = Float32Array.from([1, 0, 0])
const BOB = Float32Array.from([0, 1, 0])
/** Similar to ADA by 0.9 and to BOB by 0.436. */
const LIKE_ADA = Float32Array.from([0.9, Math.sqrt(1 - 0.81), 0])

const WORDS = [
  { word: "Bees", start: 0, end: 2, speaker: "0" },
  { word: "dance.", start: 2, end: 4, speaker: "0" },
  { word: "Comets", start: 10, end: 11, speaker: "1" },
  { word: "fly.", start: 11, end: 13, speaker: "1" },
]

const embeddingsOf = (vectors: Readonly<Record<string, Float32Array>>, seconds = 10): SpeakerEmbeddings => ({
  embedder: "test",
  thresholds: THRESHOLDS,
  speakers: Object.entries(vectors).map(([speaker, vector]) => ({ speaker, vector, seconds })),
})

export const testPeople = (setup: StoreSetup) =>
  describe("people", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const transcribe = async (vectors: Readonly<Record<string, Float32Array>> | null, id: string = randomUUID()) => {
      f.clock.advance(1)
      const columns = { ...transcriptOf("x"), words: WORDS, duration_s: 13 }
      const speaker_embeddings = vectors === null ? undefined : embeddingsOf(vectors)
      const clip = { title: `talk ${id}`, source_url: null, file_path: null }
      await f.store.clips.saveTranscript(id, clip, { ...columns, speaker_embeddings })
      return id
    }
    const name = (id: string, speakers: Record<string, string>) => f.store.clips.update(id, { speakers })
    const namesOf = async (id: string) => (await f.store.clips.get(id))!.speakers
    const people = async () => (await f.store.people.list({ limit: 50 })).people
    const idOf = async (wanted: string) => (await people()).find((person) => person.name === wanted)!.id
    const stateOf = async (id: string) =>
      (await f.store.people.getClipPeople(id))!.links.map(({ speaker, person, state }) => [speaker, person.name, state])

    it("are made and chosen by names, with their clips, seconds, topics and words", async () => {
      const [first, second] = [await transcribe({ "0": ADA }), await transcribe(null)]
      await f.store.topics.save(first, topicsOf("bees"))
      expect((await name(first, { "0": "Ada", "1": "Bob" }))!.speakers).toEqual({ "0": "Ada", "1": "Bob" })
      expect((await name(second, { "1": "ada" }))!.speakers).toEqual({ "1": "ada" })
      const listed = await f.store.people.list({ limit: 50 })
      expect(listed).toMatchObject({
        people: [
          { name: "Ada", clips: 2, speaking_s: 7, embeddings: 1 },
          { name: "Bob", clips: 1, speaking_s: 3, embeddings: 0 },
        ],
        total: 2,
      })
      const ada = await f.store.people.get(listed.people[0]!.id)
      expect(ada).toEqual(listed.people[0])
      const { clips } = (await f.store.people.listClips(ada!.id, { limit: 10 }))!
      expect(clips).toMatchObject([
        { clip_id: second, speakers: [{ speaker: "1", state: "confirmed", speaking_s: 3 }], topics: [] },
        { clip_id: first, speakers: [{ speaker: "0", speaking_s: 4 }], topics: [{ number: "1.1", title: "bees one" }] },
      ])
      expect(await f.store.people.searchWords(ada!.id, { q: "dance", limit: 5 })).toMatchObject([{ clip_id: first }])
      expect(await f.store.people.searchWords(ada!.id, { q: "comet", limit: 5 })).toMatchObject([{ clip_id: second }])
      expect(await f.store.people.searchWords("nobody", { q: "comet", limit: 5 })).toBeNull()
      expect(await f.store.people.listClips("nobody", { limit: 5 })).toBeNull()
      expect(await f.store.people.get("nobody")).toBeNull()
    })

    it("are listed in pages, in both orders of name and creation, and found by a part of the name", async () => {
      const id = await transcribe(null)
      for (const [i, given] of ["Zoe", "ben", "Éva"].entries()) {
        f.clock.advance(1)
        await name(id, { [String(i)]: given })
      }
      const list = async (sort: "name" | "-name" | "created_at" | "-created_at") => {
        const first = await f.store.people.list({ limit: 2, sort })
        const rest = await f.store.people.list({ limit: 2, sort, cursor: first.next_cursor })
        expect(rest.next_cursor).toBeUndefined()
        expect([first.total, rest.total]).toEqual([3, undefined])
        return [...first.people, ...rest.people].map((person) => person.name)
      }
      expect(new Set(await list("name"))).toEqual(new Set(["ben", "Zoe", "Éva"]))
      expect((await list("name")).reverse()).toEqual(await list("-name"))
      expect(await list("created_at")).toEqual(["Zoe", "ben", "Éva"])
      expect(await list("-created_at")).toEqual(["Éva", "ben", "Zoe"])
      const found = await f.store.people.list({ limit: 5, q: "éV" })
      expect(found.people.map((person) => person.name)).toEqual(["Éva"])
    })

    it("get their name in later recordings above the threshold only, and never when declined", async () => {
      await name(await transcribe({ "0": ADA, "1": BOB }), { "0": "Ada", "1": "Bob" })
      const same = await transcribe({ "0": LIKE_ADA, "1": ADA })
      expect(await namesOf(same)).toEqual({ "1": "Ada" })
      expect(await stateOf(same)).toEqual([["1", "Ada", "automatic"]])
      const between = Float32Array.from([Math.SQRT1_2, Math.SQRT1_2, 0])
      const unclear = await transcribe({ "0": between })
      expect(await namesOf(unclear)).toEqual({})

      const before = (await f.store.clips.getVersion(same))!
      expect(await f.store.people.editSpeaker(same, "1", { person_id: null })).toBe(true)
      expect((await f.store.clips.getVersion(same))!.speakers).toBe(before.speakers + 1)
      expect(await namesOf(same)).toEqual({})
      await transcribe({ "1": ADA }, same)
      expect(await namesOf(same)).toEqual({})
      expect(await stateOf(same)).toEqual([["1", "Ada", "rejected"]])
      await f.store.people.editSpeaker(same, "1", { person_id: await idOf("Ada") })
      expect(await stateOf(same)).toEqual([["1", "Ada", "confirmed"]])
    })

    it("keep the names that users gave when a recording is transcribed again, and lose automatic ones", async () => {
      await name(await transcribe({ "0": ADA }), { "0": "Ada" })
      const id = await transcribe({ "0": ADA, "1": BOB })
      await name(id, { "1": "Bob" })
      expect(await namesOf(id)).toEqual({ "0": "Ada", "1": "Bob" })
      await transcribe(null, id)
      expect(await namesOf(id)).toEqual({ "1": "Bob" })
      expect((await f.store.people.getClipPeople(id))!.embeddings).toEqual([])
      await name(id, { "1": "Bob" })
      await transcribe({ "1": ADA, "2": ADA }, id)
      expect(await namesOf(id)).toEqual({ "1": "Bob", "2": "Ada" })
    })

    it("are confirmed by naming a speaker as the automatic name says, which changes the version", async () => {
      await name(await transcribe({ "0": ADA }), { "0": "Ada" })
      const id = await transcribe({ "0": ADA })
      const before = (await f.store.clips.getVersion(id))!.speakers
      await name(id, { "0": "Ada" })
      expect(await stateOf(id)).toEqual([["0", "Ada", "confirmed"]])
      await name(id, { "0": "Ada" })
      expect((await f.store.clips.getVersion(id))!.speakers).toBe(before + 1)
    })

    it("are renamed, merged and split in all clips", async () => {
      const [first, second] = [await transcribe({ "0": ADA }), await transcribe({ "0": BOB, "1": BOB })]
      await name(first, { "0": "Ada" })
      await name(second, { "0": "Grace", "1": "Eve" })
      const [ada, grace, eve] = [await idOf("Ada"), await idOf("Grace"), await idOf("Eve")]
      expect(await f.store.people.rename(ada, "Ada Lovelace")).toMatchObject({ id: ada, name: "Ada Lovelace" })
      expect(await namesOf(first)).toEqual({ "0": "Ada Lovelace" })
      await expect(f.store.people.rename(ada, "GRACE")).rejects.toMatchObject({ code: "conflict" })
      expect(await f.store.people.rename(ada, "ADA Lovelace")).toMatchObject({ name: "ADA Lovelace" })
      expect(await f.store.people.rename("nobody", "X")).toBeNull()

      await expect(f.store.people.merge(ada, [ada])).rejects.toMatchObject({ code: "invalid" })
      await expect(f.store.people.merge(ada, [grace, "nobody"])).rejects.toMatchObject({ code: "not_found" })
      expect(await f.store.people.merge("nobody", [ada])).toBeNull()
      await f.store.people.editSpeaker(first, "0", { rejected_person_id: grace })
      expect(await f.store.people.merge(ada, [grace, eve])).toMatchObject({ id: ada, clips: 2, embeddings: 3 })
      expect(await namesOf(second)).toEqual({ "0": "ADA Lovelace", "1": "ADA Lovelace" })
      expect(await namesOf(first)).toEqual({ "0": "ADA Lovelace" })
      expect(await people()).toHaveLength(1)

      const speakers = [{ clip_id: second, speaker: "1" }]
      await expect(f.store.people.split(ada, "new", "ada lovelace", speakers)).rejects.toMatchObject({
        code: "conflict",
      })
      await expect(f.store.people.split(ada, "new", "Eve", [{ clip_id: first, speaker: "7" }])).rejects.toMatchObject({
        code: "invalid",
      })
      expect(await people()).toHaveLength(1)
      expect(await f.store.people.split("nobody", "new", "Eve", speakers)).toBeNull()
      expect(await f.store.people.split(ada, "new", "Eve", speakers)).toMatchObject({
        id: "new",
        name: "Eve",
        clips: 1,
      })
      expect(await namesOf(second)).toEqual({ "0": "ADA Lovelace", "1": "Eve" })
      expect(await stateOf(second)).toContainEqual(["1", "ADA Lovelace", "rejected"])
    })

    it("are deleted everywhere: names, embeddings and what was declined", async () => {
      const [first, second] = [await transcribe({ "0": ADA, "1": BOB }), await transcribe({ "0": BOB })]
      await name(first, { "0": "Ada", "1": "Bob" })
      await name(second, { "0": "Bob" })
      const ada = await idOf("Ada")
      await f.store.people.editSpeaker(second, "0", { rejected_person_id: ada })
      expect(await f.store.people.delete(ada)).toBe(true)
      expect(await f.store.people.delete(ada)).toBe(false)
      expect(await namesOf(first)).toEqual({ "1": "Bob" })
      const left = (await f.store.people.getClipPeople(first))!
      expect(left.embeddings.map(({ speaker }) => speaker)).toEqual(["1"])
      expect(await stateOf(second)).toEqual([["0", "Bob", "confirmed"]])
      await transcribe({ "0": ADA }, second)
      expect(await namesOf(second)).toEqual({ "0": "Bob" })
    })

    it("may be deleted while a job transcribes a recording in which they speak", async () => {
      await name(await transcribe({ "0": ADA }), { "0": "Ada" })
      const job = newJob()
      await f.store.jobs.submit(job)
      const held = await claim(f.store, job.jobId, "whisper")
      const output = {
        kind: "words" as const,
        ...transcriptOf("one two"),
        speaker_embeddings: embeddingsOf({ "0": ADA }),
      }
      await f.store.people.delete(await idOf("Ada"))
      expect(await f.store.stages.complete(held, { stage: "whisper", output })).toBe(true)
      expect(await namesOf(job.sessionId)).toEqual({})
      expect(await people()).toEqual([])
    })

    it("vanish with their last name, but not with their last recording", async () => {
      const id = await transcribe({ "0": ADA })
      await name(id, { "0": "Adda" })
      await name(id, { "0": "Ada" })
      expect((await people()).map((person) => person.name)).toEqual(["Ada"])
      await name(id, { "0": "" })
      expect(await people()).toEqual([])
      await name(id, { "0": "Ada" })
      await f.store.clips.delete(id)
      expect(await people()).toMatchObject([{ name: "Ada", clips: 0, speaking_s: 0, embeddings: 0 }])
    })

    it("are compared within one embedder, as long as there are embeddings", async () => {
      const [first, second, third] = [
        await transcribe({ "0": ADA }),
        await transcribe({ "0": BOB }),
        await transcribe(null),
      ]
      await name(first, { "0": "Ada" })
      await name(third, { "0": "Bob" })
      expect(await f.store.people.listPersonEmbeddings("test")).toEqual([
        {
          clip_id: first,
          speaker: "0",
          embedder: "test",
          vector: ADA,
          seconds: 10,
          person: { id: await idOf("Ada"), name: "Ada" },
        },
      ])
      expect(await f.store.people.listPersonEmbeddings("other")).toEqual([])
      expect(await f.store.people.listEmbedders(await idOf("Ada"))).toEqual(["test"])
      expect(await f.store.people.listEmbedders(await idOf("Bob"))).toEqual([])
      const unnamed = (person: string) => f.store.people.listUnnamedEmbeddings("test", person)
      expect(await unnamed(await idOf("Ada"))).toMatchObject([{ clip_id: second, clipTitle: `talk ${second}` }])
      await f.store.people.editSpeaker(second, "0", { rejected_person_id: await idOf("Ada") })
      expect(await unnamed(await idOf("Ada"))).toEqual([])
      expect(await unnamed(await idOf("Bob"))).toMatchObject([{ clip_id: second }])
      expect(await f.store.people.deleteEmbeddings()).toBe(2)
      expect(await unnamed(await idOf("Bob"))).toEqual([])
    })

    it("reject edits of unknown clips, people and other versions", async () => {
      const id = await transcribe(null)
      expect(await f.store.people.editSpeaker("unknown", "0", { name: "Ada" })).toBe(false)
      expect(await f.store.people.getClipPeople("unknown")).toBeNull()
      await expect(f.store.people.editSpeaker(id, "0", { person_id: "nobody" })).rejects.toMatchObject({
        code: "not_found",
      })
      await expect(f.store.people.editSpeaker(id, "0", { rejected_person_id: "nobody" })).rejects.toMatchObject({
        code: "not_found",
      })
      await expect(f.store.people.editSpeaker(id, "0", { name: "Ada" }, ['"other"'])).rejects.toMatchObject({
        code: "precondition_failed",
      })
      expect(await people()).toEqual([])
    })
  })
