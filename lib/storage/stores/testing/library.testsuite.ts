import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type StoreFixture, type StoreSetup, topicsOf, transcriptOf } from "./fixtures.ts"

const named = (title: string) => ({ title, source_url: null, file_path: null })

export const testLibrary = (setup: StoreSetup) =>
  describe("library search", () => {
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

    const search = (q: string, limit = 10) => f.store.library.search({ q, limit })

    it("finds titles, topics and spoken words with their start time", async () => {
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
    it("indexes only new and changed clips in advance", async () => {
      const [bees] = [await clip("Keeping bees", "one two three"), await clip("Comets", "four five six")]
      expect(await f.store.library.prepare()).toBe(2)
      expect(await f.store.library.prepare()).toBe(0)
      await f.store.clips.update(bees, { title: "Keeping wasps" })
      expect(await f.store.library.prepare()).toBe(1)
      expect((await search("wasps")).titles).toHaveLength(1)
      expect((await search("bees")).titles).toEqual([])
    })
    it("marks words between spaces, however the index splits them", async () => {
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
    it("finds and marks words with punctuation alike on every store", async () => {
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
      // The marked parts of each matching title.
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
        const hits = (await search(q)).titles.map(({ text, marks }) => [text, marks.map(([a, b]) => text.slice(a, b))])
        found[q] = Object.fromEntries(hits.sort())
      }
      expect(found).toEqual(expected)
    })
    it("finds transcripts only where all words are spoken close together", async () => {
      const id = await clip("bees", "we keep bees and sell their honey in winter")
      await clip("honey in winter", "we sell apples")
      const said = await f.store.library.searchTranscripts({ q: "honey winter", limit: 10 })
      expect(said.map(({ clip_id, start_s }) => [clip_id, start_s])).toEqual([[id, 6]])
      expect(await f.store.library.searchTranscripts({ q: "honey apples", limit: 10 })).toEqual([])
      expect(await f.store.library.searchTranscripts({ q: "?", limit: 10 })).toEqual([])
    })
    it("finds a word stored with the character 0, and the other words too", async () => {
      const odd = await clip("o\0dd", "a bo\0at")
      const later = await clip("later", "a boat")
      expect((await search("boat")).words.map((hit) => hit.clip_id).sort()).toEqual([odd, later].sort())
      expect((await search("odd")).titles.map((hit) => hit.clip_id)).toEqual([odd])
    })
    it("requires every word, matches the last as a prefix and ignores query operators", async () => {
      await clip("talk", "we saw the comet over the hives")
      const found = async (q: string) => (await search(q)).words.length
      expect(await found("comet hiv")).toBe(1)
      expect(await found("comet wasp")).toBe(0)
      for (const q of ['"', "comet OR", "NEAR(", "a*", "-", "text:comet", "   "]) await search(q)
      expect(await found("COMET")).toBe(1)
    })
    it("finds a new title, new words and an edit immediately, and no deleted clip", async () => {
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
    it("returns at most the requested number of hits of each kind", async () => {
      for (let i = 0; i < 4; i++) await clip(`bees ${i}`, "bees everywhere")
      const { titles, words } = await search("bees", 3)
      expect([titles.length, words.length]).toEqual([3, 3])
    })
  })
