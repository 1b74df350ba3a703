import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { searchResults } from "../../api/map.ts"
import { bundleWorker } from "../../map/testing/bundle-worker.ts"
import { getVizData } from "./map-data.ts"
import { scoreTitles, searchViz } from "./map-search.ts"
import { type MapFixture, openMapFixture, topicsAbout } from "./testing/map-fixture.ts"
import { getTopicMap } from "./topic-map.ts"

let bundle: Awaited<ReturnType<typeof bundleWorker>>
let f: MapFixture

beforeAll(async () => {
  bundle = await bundleWorker()
})
beforeEach(async () => {
  f = await openMapFixture(bundle.file)
})
afterEach(() => f.close())
afterAll(() => bundle.remove())

describe("searchViz", () => {
  it("ranks topics by meaning and refers to points of the map data", async () => {
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
    expect(hits.map((h) => h.similarity)).toEqual(hits.map((h) => h.similarity).sort((x, y) => y - x))
    expect(`${hits[0]!.topic_title} ${hits[0]!.summary}`).toMatch(/rocket|methane|launch/)
    expect(f.requests).toEqual(["compose"])
  })

  it("needs no layout, returns every one of equal topics, and omits unrelated topics", async () => {
    const topics = topicsAbout("same", 3)
    await f.addClip("a", topics)
    await f.addClip("b", topics)
    const [first] = topics
    const hits = await searchViz(f.deps, { q: `${first!.title}. ${first!.summary}`, top_k: 100 })
    expect(hits.map((h) => h.point_index).slice(0, 2)).toEqual([0, 3])
    expect(hits.length).toBeLessThan(6)
    expect(await searchViz(f.deps, { q: "zzzz qqqq", top_k: 100 })).toEqual([])
    expect(f.requests).toEqual([])
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
    expect(await searchViz(f.deps, { q: "of the", top_k: 10 })).toEqual([])
  })

  it("returns nothing for a blank query or an empty map", async () => {
    expect(await searchViz(f.deps, { q: "anything", top_k: 5 })).toEqual([])
    await f.addClip("a", topicsAbout("a", 4))
    expect(await searchViz(f.deps, { q: "  \t ", top_k: 5 })).toEqual([])
  })
})

describe("scoreTitles", () => {
  const topic = (clip_id: string, title: string) =>
    ({ clip_id, title }) as Parameters<typeof scoreTitles>[0]["topics"][number]
  const clip = (id: string, title: string) => ({ id, title }) as Parameters<typeof scoreTitles>[0]["clips"][number]
  const snapshot = {
    clips: [clip("a", "Chess club"), clip("b", "Beekeeping in spring")],
    topics: [
      topic("a", "The Sicilian defence"),
      topic("a", "Openings"),
      topic("b", "Hives and mites"),
      topic("b", "Queens"),
    ],
  }
  const match = (question: string) => [...scoreTitles(snapshot, question)].map((v) => Math.round(v * 100) / 100)

  it("ranks topic titles above recording titles and compares stems", () => {
    expect(match("hive")).toEqual([0, 0, 0.95, 0])
    expect(match("Chess Clubs")).toEqual([0.9, 0.9, 0, 0])
    expect(match("queens of beekeeping")[3]).toBeGreaterThan(match("queens of beekeeping")[2]!)
  })
  it("returns 0 if a title contains too little of the question", () => {
    expect(match("rockets and hive inspection schedules")).toEqual([0, 0, 0, 0])
    expect(match("?!")).toEqual([0, 0, 0, 0])
  })
})
