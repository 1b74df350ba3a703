import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { searchResults } from "../../api/map.ts"
import { getVizData } from "./map-data.ts"
import { searchViz } from "./map-search.ts"
import { type MapFixture, openMapFixture, topicsAbout } from "./testing/map-fixture.ts"
import { getTopicMap } from "./topic-map.ts"

let f: MapFixture

beforeEach(async () => {
  f = await openMapFixture()
})
afterEach(() => f.close())

describe("searchViz", () => {
  it("ranks topics best first and refers to points of the map data", async () => {
    await f.addClip("a", topicsAbout("a", 16))
    await f.addClip("b", topicsAbout("bb", 8))
    const { body } = await getVizData(f.deps, { distance_threshold: 0.35 })
    const hits = searchResults.parse(await searchViz(f.deps, { q: " launching rockets with methane ", top_k: 6 }))
    expect(hits).toHaveLength(6)
    for (const hit of hits) {
      const point = body.points[hit.point_index]!
      expect([point.clip_id, point.clip_title, point.topic_title]).toEqual([
        hit.clip_id,
        hit.clip_title,
        hit.topic_title,
      ])
    }
    expect(hits.map((h) => h.score)).toEqual(hits.map((h) => h.score).sort((x, y) => y - x))
    expect(`${hits[0]!.topic_title} ${hits[0]!.summary}`).toMatch(/rocket|methane|launch/)
    expect(f.requests).toEqual(["compose"])
  })

  it("needs no layout, returns every one of equal topics, and omits unrelated topics", async () => {
    const topics = topicsAbout("same", 3)
    await f.addClip("a", topics)
    await f.addClip("b", topics)
    const [first] = topics
    const hits = await searchViz(f.deps, { q: first!.title, top_k: 100 })
    expect(hits.map((h) => h.point_index).slice(0, 2)).toEqual([0, 3])
    expect(hits.length).toBeLessThan(6)
    expect(await searchViz(f.deps, { q: "zzzz qqqq", top_k: 100 })).toEqual([])
    expect(f.requests).toEqual([])
  })

  it("returns nothing for blank text, without asking the embedding model", async () => {
    await f.addClip("a", topicsAbout("a", 2))
    const getEmbedder = vi.fn(f.deps.engines.getEmbedder)
    const deps = { ...f.deps, engines: { ...f.deps.engines, getEmbedder } }
    expect(await searchViz(deps, { q: " \n ", top_k: 5 })).toEqual([])
    expect(getEmbedder).not.toHaveBeenCalled()
    expect(await searchViz(deps, { q: "garden", top_k: 5 })).not.toEqual([])
    expect(getEmbedder).toHaveBeenCalledOnce()
  })

  it("finds words of the transcript and ranks them below titles", async () => {
    await f.addClip("said", topicsAbout("said", 4), ["nobody speaks", "of the penguins on their way", "", "as they do"])
    await f.addClip("named", [{ title: "Penguins", summary: "Of their way." }])
    const hits = await searchViz(f.deps, { q: "the penguins", top_k: 10 })
    const { snapshot } = await getTopicMap(f.deps).loadContent(await f.deps.engines.getEmbedder())
    const found = hits.map((hit) => snapshot.topics[hit.point_index]!)
    expect(found.map(({ clip_id, start_s }) => [clip_id, start_s])).toEqual([
      ["named", 0],
      ["said", 10],
    ])
    expect(hits[1]!.passage).toMatchObject({ text: expect.stringContaining("penguins") })
    expect(hits[0]!.passage).toBeNull()
    expect(await searchViz(f.deps, { q: "of the", top_k: 10 })).toEqual([])
  })

  it("finds a topic by what is said in it and by a title that a person gave it", async () => {
    await f.addClip("a", topicsAbout("a", 6), ["", "", "our money is spent on rent", "", "", ""])
    const search = async (q: string) => (await searchViz(f.deps, { q, top_k: 3 })).map((hit) => hit.point_index)
    expect((await search("paying the rent"))[0]).toBe(2)
    await f.store.topics.edit("a", "1.3", { title: "Household budget" })
    expect((await search("household budgets"))[0]).toBe(3)
  })

  it("returns a topic or one of its subtopics, not both", async () => {
    const node = (title: string, start_s: number, end_s: number) => ({
      title,
      summary: "",
      start_s,
      end_s,
      children: [],
    })
    await f.addClip("a", [{ title: "Start", summary: "" }], ["honey bees", "honey bees", "honey bees", "tides"])
    await f.saveTopics("a", [
      {
        ...node("Recording", 0, 40),
        children: [
          { ...node("Bees", 0, 30), children: [node("Hives", 0, 10), node("Honey", 10, 30)] },
          node("Tides", 30, 40),
        ],
      },
    ])
    expect(await searchViz(f.deps, { q: "bees", top_k: 10 })).toHaveLength(1)
  })

  it("returns nothing for a blank query or an empty map", async () => {
    expect(await searchViz(f.deps, { q: "anything", top_k: 5 })).toEqual([])
    await f.addClip("a", topicsAbout("a", 4))
    expect(await searchViz(f.deps, { q: "  \t ", top_k: 5 })).toEqual([])
  })
})
