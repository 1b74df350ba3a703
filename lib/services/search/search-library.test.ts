import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { searchAnswer } from "../../domain/search.ts"
import { type MapFixture, openMapFixture } from "../map/testing/map-fixture.ts"
import { searchLibrary } from "./search-library.ts"

const TOPICS = [
  { title: "Overview", summary: "Several subjects." },
  { title: "Honey", summary: "From hive to jar." },
  { title: "Night sky", summary: "Looking up." },
]
const SPEECH = [
  "hello and welcome to another show about many fine things.",
  "beekeeper opened wooden hive and smoke calmed bees before harvest.",
  "comet crossed telescope above harbor while evening tide turned slowly.",
]

let f: MapFixture

beforeEach(async () => {
  f = await openMapFixture()
  await f.addClip("a", TOPICS, SPEECH)
})
afterEach(() => f.close())

const search = async (q: string, limit = 5) => searchAnswer.parse(await searchLibrary(f.deps, { q, limit }))

describe("searchLibrary", () => {
  it("finds a topic by what is said in it, and a passage that lacks a word of the query", async () => {
    const { topics, words } = await search("how did the beekeeper calm his bees with smoke")
    expect(topics.map(({ title }) => title)).toEqual(["Honey"])
    const [hit] = words
    expect(hit!.marks.map(([from, to]) => hit!.text.slice(from, to))).toEqual(["beekeeper", "smoke", "calmed", "bees"])
  })

  it("starts a passage at its first matching word", async () => {
    const { words } = await search("bees and quiet smoke")
    expect(words[0]).toMatchObject({ clip_id: "a", clip_title: "Clip a", speaker: "0", start_s: 15 })
  })

  it("returns texts with every word first, and each place once", async () => {
    const { words } = await search("comet")
    expect(words).toHaveLength(1)
    expect(words[0]!.start_s).toBe(20)
  })

  it("omits what contains less than half of the query", async () => {
    expect(await search("zebra quark gluon comet")).toEqual({ titles: [], topics: [], words: [], notes: [] })
    expect(await search("zebra")).toEqual({ titles: [], topics: [], words: [], notes: [] })
  })

  it("returns at most the wanted number of hits of each kind", async () => {
    await f.addClip("more", TOPICS, SPEECH)
    const { topics, words } = await search("beekeeper smoke harvest hive lunch", 1)
    expect([topics.length, words.length]).toEqual([1, 1])
  })

  it("finds exact matches without embedding passages when a model embeds them", async () => {
    const embedder = await f.deps.engines.getEmbedder()
    const learned = { ...embedder, isLexical: false, embed: () => Promise.reject(new Error("embedded")) }
    const deps = { ...f.deps, engines: { ...f.deps.engines, getEmbedder: async () => learned } }
    expect((await searchLibrary(deps, { q: "comet", limit: 5 })).words).toHaveLength(1)
  })
})
