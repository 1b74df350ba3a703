import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { STAGE_NAMES } from "../../../domain/jobs/stages.ts"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import {
  claim,
  finish,
  newJob,
  resultOf,
  type StoreFixture,
  type StoreSetup,
  topicsOf,
  transcriptOf,
  tryClaim,
} from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: null })

export const testLibrary = (setup: StoreSetup) =>
  describe("the library", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const clip = async (title: string, text: string): Promise<string> => {
      const id = randomUUID()
      f.clock.advance(1)
      await f.store.clips.saveTranscript(id, named(title), transcriptOf(text))
      return id
    }
    const wordsIn = async (id: string) => (await f.store.clips.get(id))!.transcription.map((w) => w.word).join(" ")

    describe("corrections", () => {
      const dance: WordEdit = { kind: "text", start_s: 2, end_s: 2.5, words: ["dance"] }

      it("change the transcript, are listed in order, and can be taken back one by one", async () => {
        const id = await clip("talk", "the bees dunce well")
        const [first] = (await f.store.clips.editWords(id, [dance]))!
        const [second] = (await f.store.clips.editWords(id, [{ kind: "speaker", start_s: 0, end_s: 1, speaker: "1" }]))!
        expect(await wordsIn(id)).toBe("the bees dance well")
        expect((await f.store.clips.get(id))!.voices).toBe(2)
        expect(await f.store.clips.listWordEdits(id)).toEqual([first, second])
        expect(await f.store.clips.removeWordEdit(id, first!.id)).toBe(true)
        expect(await wordsIn(id)).toBe("the bees dunce well")
        expect((await f.store.clips.get(id))!.voices).toBe(2)
        expect(await f.store.clips.removeWordEdit(id, second!.id)).toBe(true)
        expect((await f.store.clips.get(id))!.voices).toBe(1)
        expect(await f.store.clips.removeWordEdit(id, second!.id)).toBe(false)
        expect(await f.store.clips.listWordEdits(id)).toEqual([])
      })
      it("are made to another run's words too, but for voices that were one", async () => {
        const id = await clip("talk", "the bees dunce well")
        await f.store.clips.editWords(id, [dance, { kind: "merge", from: "0", into: "3" }])
        await f.store.clips.saveTranscript(id, named("talk"), transcriptOf("the bees dunce better"))
        const again = (await f.store.clips.get(id))!
        expect(again.transcription.map((w) => `${w.speaker} ${w.word}`)).toEqual([
          "0 the",
          "0 bees",
          "0 dance",
          "0 better",
        ])
        const [left] = (await f.store.clips.listWordEdits(id))!
        expect(left?.edit).toEqual(dance)
        await f.store.clips.removeWordEdit(id, left!.id)
        expect(await wordsIn(id)).toBe("the bees dunce better")
      })
      it("reach what a later stage reads", async () => {
        const job = newJob()
        await f.store.jobs.submit(job)
        await finish(f.store, job.jobId, "whisper")
        await f.store.clips.editWords(job.sessionId, [{ kind: "text", start_s: 0, end_s: 0.5, words: ["uno"] }])
        const claimed = await tryClaim(f.store, job.jobId, "l1")
        if (!claimed.claim) throw new Error("l1 could not be claimed")
        expect(claimed.job.words?.map((w) => w.word)).toEqual(["uno", "two", "three"])
      })
      it("of an unknown clip are none, and go with their clip", async () => {
        expect([await f.store.clips.editWords("nobody", [dance]), await f.store.clips.listWordEdits("nobody")]).toEqual(
          [null, null],
        )
        const id = await clip("talk", "one two three")
        const [edit] = (await f.store.clips.editWords(id, [dance]))!
        await f.store.clips.delete(id)
        await clip("other", "one two three")
        expect(await f.store.clips.removeWordEdit(id, edit!.id)).toBe(false)
      })
    })

    describe("search", () => {
      const search = (q: string, limit = 10) => f.store.library.search({ q, limit })

      it("finds titles, topics and spoken words, and the second of the word", async () => {
        const id = await clip("Keeping bees", "we saw the comet over the hives")
        await f.store.topics.save(id, topicsOf("orchard"))
        const comet = await search("comets")
        expect(comet.words).toEqual([
          {
            clip_id: id,
            clip_title: "Keeping bees",
            start_s: 3,
            speaker: "0",
            text: "we saw the comet over the hives",
            marks: [[11, 16]],
          },
        ])
        expect((await search("bee")).titles).toEqual([
          { clip_id: id, clip_title: "Keeping bees", text: "Keeping bees", marks: [[8, 12]] },
        ])
        const [topic] = (await search("orchard two")).topics
        expect(topic).toMatchObject({ title: "orchard two", number: "1.2", start_s: 60 })
      })
      it("is prepared before somebody looks, again after a change, and for what is new alone", async () => {
        const [bees] = [await clip("Keeping bees", "one two three"), await clip("Comets", "four five six")]
        expect(await f.store.library.prepare()).toBe(2)
        expect(await f.store.library.prepare()).toBe(0)
        await f.store.clips.update(bees, { title: "Keeping wasps" })
        expect(await f.store.library.prepare()).toBe(1)
        expect((await search("wasps")).titles).toHaveLength(1)
        expect((await search("bees")).titles).toEqual([])
      })
      it("marks words as they stand between spaces, however the index cuts them", async () => {
        await clip("part sq-12 of sq 12", "nothing")
        for (const [q, marks] of [
          [
            "sq-12",
            [
              [5, 10],
              [14, 16],
              [17, 19],
            ],
          ],
          [
            "part sq-1",
            [
              [0, 4],
              [5, 10],
              [14, 16],
              [17, 19],
            ],
          ],
        ] as const)
          expect([q, (await search(q)).titles[0]?.marks]).toEqual([q, marks])
      })
      it("finds words with signs in them alike on every store, and marks them where they stand together", async () => {
        const titles = [
          "the garden's gate",
          "garden gate",
          "we can't go",
          "can the tide turn",
          "a bow-string",
          "a bow and a string",
          "Ärger-naïve",
          "U.S.A. at 3.5",
          "rock'n'roll",
          "日本語の本",
          "Straße İstanbul",
          "ﬁsh_bone 🐟 fin",
          "a generous host",
          "in general",
        ]
        for (const title of titles) await clip(title, "nothing")
        // What is found in which title: the marked parts.
        const expected: Record<string, Record<string, string[]>> = {
          "garden's": { "garden gate": ["garden"], "the garden's gate": ["garden"] },
          "garden’s gate": { "garden gate": ["garden", "gate"], "the garden's gate": ["garden", "gate"] },
          garden: { "garden gate": ["garden"], "the garden's gate": ["garden"] },
          "garden't": {},
          "can't": { "can the tide turn": ["can", "the"], "we can't go": ["can't"] },
          "can't go": { "we can't go": ["can't", "go"] },
          "bow-string": { "a bow-string": ["bow-string"] },
          "arger-NAIVE": { "Ärger-naïve": ["Ärger-naïve"] },
          naive: { "Ärger-naïve": ["naïve"] },
          "U.S.A.": { "U.S.A. at 3.5": ["U.S.A"] },
          "3.5": { "U.S.A. at 3.5": ["3.5"] },
          "rock’n’roll": { "rock'n'roll": ["rock'n'roll"] },
          日本語: { 日本語の本: ["日本語"] },
          straße: { "Straße İstanbul": ["Straße"] },
          istanbul: { "Straße İstanbul": ["İstanbul"] },
          fish: { "ﬁsh_bone 🐟 fin": ["ﬁsh"] },
          generous: { "a generous host": ["generous"] },
        }
        const found: typeof expected = {}
        for (const q of Object.keys(expected)) {
          const hits = (await search(q)).titles.map(({ text, marks }) => [
            text,
            marks.map(([a, b]) => text.slice(a, b)),
          ])
          found[q] = Object.fromEntries(hits.sort())
        }
        expect(found).toEqual(expected)
      })
      it("finds what is said alone, where all of it is said close together", async () => {
        const id = await clip("bees", "we keep bees and sell their honey in winter")
        await clip("honey in winter", "we sell apples")
        const said = await f.store.library.searchTranscripts({ q: "honey winter", limit: 10 })
        expect(said.map(({ clip_id, start_s }) => [clip_id, start_s])).toEqual([[id, 6]])
        expect(await f.store.library.searchTranscripts({ q: "honey apples", limit: 10 })).toEqual([])
        expect(await f.store.library.searchTranscripts({ q: "?", limit: 10 })).toEqual([])
      })
      it("finds a word that holds the character 0 without it, and everything else, too", async () => {
        const odd = await clip("o\0dd", "a bo\0at")
        const later = await clip("later", "a boat")
        expect((await search("boat")).words.map((hit) => hit.clip_id).sort()).toEqual([odd, later].sort())
        expect((await search("odd")).titles.map((hit) => hit.clip_id)).toEqual([odd])
      })
      it("wants every word, takes the last as a beginning, and no sign of the question as an operator", async () => {
        await clip("talk", "we saw the comet over the hives")
        const found = async (q: string) => (await search(q)).words.length
        expect(await found("comet hiv")).toBe(1)
        expect(await found("comet wasp")).toBe(0)
        for (const q of ['"', "comet OR", "NEAR(", "a*", "-", "text:comet", "   "]) await search(q)
        expect(await found("COMET")).toBe(1)
      })
      it("knows of a new title, new words, a correction and a removal at once", async () => {
        const id = await clip("talk", "we saw the comet")
        const count = async (q: string) => {
          const { titles, topics, words } = await search(q)
          return titles.length + topics.length + words.length
        }
        expect(await count("comet")).toBe(1)
        await f.store.clips.update(id, { title: "Stars" })
        expect([await count("stars"), await count("talk")]).toEqual([1, 0])
        await f.store.clips.editWords(id, [{ kind: "text", start_s: 3, end_s: 3.5, words: ["meteor"] }])
        expect([await count("comet"), await count("meteor")]).toEqual([0, 1])
        await f.store.topics.save(id, topicsOf("planets"))
        expect(await count("planets")).toBeGreaterThan(0)
        await f.store.clips.delete(id)
        expect([await count("meteor"), await count("stars"), await count("planets")]).toEqual([0, 0, 0])
      })
      it("gives no more than was asked for, of each kind", async () => {
        for (let i = 0; i < 4; i++) await clip(`bees ${i}`, "bees everywhere")
        const { titles, words } = await search("bees", 3)
        expect([titles.length, words.length]).toEqual([3, 3])
      })
    })

    it("keeps a waveform for one version of a file, and drops it with the clip", async () => {
      const id = await clip("talk", "one")
      const wave = { duration_s: 1.5, peaks: [0, 128, 255] }
      await f.store.clips.saveWaveform(id, "a", wave)
      expect(await f.store.clips.getWaveform(id, "a")).toEqual(wave)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
      await f.store.clips.saveWaveform(id, "b", { duration_s: 2, peaks: [] })
      expect([
        await f.store.clips.getWaveform(id, "a"),
        (await f.store.clips.getWaveform(id, "b"))?.duration_s,
      ]).toEqual([null, 2])
      await f.store.clips.delete(id)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
      await f.store.clips.saveWaveform(id, "b", wave)
      expect(await f.store.clips.getWaveform(id, "b")).toBeNull()
    })

    it("tells how long each finished stage took, and which runs a clip had", async () => {
      const job = newJob()
      await f.store.jobs.submit(job)
      await f.store.jobs.submit(newJob())
      const held = await claim(f.store, job.jobId, "whisper")
      f.clock.advance(2500)
      await f.store.stages.complete(held, resultOf("whisper"))
      const { jobs } = await f.store.jobs.list({ limit: 10, clip_id: job.sessionId })
      expect(jobs.map((j) => j.job_id)).toEqual([job.jobId])
      expect(jobs[0]?.stage_seconds).toEqual({ whisper: 2.5 })
      await finish(f.store, job.jobId, ...STAGE_NAMES.slice(1))
      expect(Object.keys((await f.store.jobs.get(job.jobId))!.stage_seconds)).toHaveLength(STAGE_NAMES.length)
    })
  })
