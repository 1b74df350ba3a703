import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { searchResults } from "../../api/map.ts"
import { bundleWorker } from "../../map/testing/bundle-worker.ts"
import { getTopicMap } from "./get-topic-map.ts"
import { vizData } from "./map-data.ts"
import { vizSearch } from "./map-search.ts"
import { type MapFixture, openMapFixture, topicsAbout } from "./testing/map-fixture.ts"

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

describe("search on the map", () => {
  it("ranks topics by meaning, best first, and points into the map's data", async () => {
    await f.addClip("a", topicsAbout("a", 16))
    await f.addClip("b", topicsAbout("bb", 8))
    const { body } = await vizData(f.deps, { distance_threshold: 0.35 })
    const hits = searchResults.parse(await vizSearch(f.deps, { q: " launching rockets with methane ", top_k: 6 }))
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
    expect(f.asked).toEqual(["compose"])
  })

  it("needs no layout, has each of several equal topics, and none that has nothing to do with the question", async () => {
    const topics = topicsAbout("same", 3)
    await f.addClip("a", topics)
    await f.addClip("b", topics)
    const [first] = topics
    const hits = await vizSearch(f.deps, { q: `${first!.title}. ${first!.summary}`, top_k: 100 })
    expect(hits.map((h) => h.point_index).slice(0, 2)).toEqual([0, 3])
    expect(hits.length).toBeLessThan(6)
    expect(await vizSearch(f.deps, { q: "zzzz qqqq", top_k: 100 })).toEqual([])
    expect(f.asked).toEqual([])
  })

  it("finds what is said in a topic and in no title of it, behind titles that name it", async () => {
    await f.addClip("said", topicsAbout("said", 4), ["nobody speaks", "of the penguins on their way", "", "as they do"])
    await f.addClip("named", [{ title: "Penguins", summary: "Of their way." }])
    const hits = await vizSearch(f.deps, { q: "the penguins", top_k: 10 })
    const { snapshot } = await getTopicMap(f.deps).topics(await f.deps.engines.embedder())
    const found = hits.map((hit) => snapshot.topics[hit.point_index]!)
    expect(found.map(({ clip_id, start_s }) => [clip_id, start_s])).toEqual([
      ["named", 0],
      ["said", 10],
    ])
    expect(await vizSearch(f.deps, { q: "of the", top_k: 10 })).toEqual([])
  })

  it("is empty for spaces and on an empty map", async () => {
    expect(await vizSearch(f.deps, { q: "anything", top_k: 5 })).toEqual([])
    await f.addClip("a", topicsAbout("a", 4))
    expect(await vizSearch(f.deps, { q: "  \t ", top_k: 5 })).toEqual([])
  })
})
