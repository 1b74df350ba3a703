import { afterAll, beforeAll, expect, it } from "vitest"
import type { Embedder } from "../../engines/language/types.ts"
import { topicsOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { searchViz } from "./map-search.ts"
import type { VizDeps } from "./topic-map.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

/**
 * Directions of texts in a plane by a word in them, in degrees. The question is at 0 degrees. Nothing is further away than 62
 * degrees, because models give unrelated texts similarities far above 0.
 */
const DEGREES: Readonly<Record<string, number>> = { Harbor: 10, Boats: 40, Tides: 60, Whole: 58 }
const directionOf = (text: string) => {
  const [, other] = /Other (\d+)/.exec(text) ?? []
  const degrees = other
    ? 56 + (Number(other) % 7)
    : (Object.entries(DEGREES).find(([word]) => text.includes(word))?.[1] ?? 0)
  return Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
}
const embedder: Embedder = {
  name: "plane",
  isLexical: false,
  embed: async (texts) => texts.map(directionOf),
}

it("finds topics by the meaning of a question with an embedding model, unrelated ones left out", async () => {
  await node.store.clips.saveTranscript(
    "a",
    { title: "Sea", source_url: null, file_path: null },
    { words: [], duration_s: 330, language: "en", speech_engine: null, whisper_model: null, file_path: null },
  )
  const topic = (title: string, start_s: number) => ({
    title,
    summary: `${title}.`,
    start_s,
    end_s: start_s + 10,
    children: [],
  })
  const others = Array.from({ length: 30 }, (_, i) => `Other ${i}`)
  const topics = ["Tides", "Harbor", "Boats", ...others].map((title, i) => topic(title, 10 * i))
  await node.store.topics.save("a", {
    ...topicsOf("a"),
    tree: { topics: [{ ...topic("Whole", 0), end_s: 330, children: topics }] },
    vectors: [],
  })
  const deps = {
    ...node,
    viz: null,
    engines: { ...node.engines, getEmbedder: async () => embedder },
  } as unknown as VizDeps
  const search = (q: string, top_k = 9) => searchViz(deps, { q, top_k })
  const hits = await search("where ships land")
  expect(hits.map(({ topic_title }) => topic_title)).toEqual(["Harbor", "Boats"])
  expect(hits[0]).toEqual({
    point_index: 2,
    topic_title: "Harbor",
    clip_title: "Sea",
    clip_id: "a",
    similarity: expect.closeTo(Math.cos(Math.PI / 18), 5),
    // First in one of two rankings.
    score: expect.closeTo(0.5, 5),
    summary: "Harbor.",
    passage: null,
  })
  // A word of the title counts as much as the meaning.
  expect((await search("tides of the sea")).map(({ topic_title }) => topic_title).sort()).toEqual([
    "Boats",
    "Harbor",
    "Tides",
    "Whole",
  ])
  expect(await search("where ships land", 1)).toHaveLength(1)
})
