import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { indexClips } from "../documents/index-clips.ts"
import { type MapFixture, openMapFixture } from "../map/testing/map-fixture.ts"
import { rowsOf } from "./ranking.ts"
import { retrieve } from "./retrieve.ts"
import { searchChunks } from "./search-chunks.ts"

const QUESTION = "what does the waggle dance in hive seven encode?"
const ANSWER = "Honey bees dance. The waggle dance encodes direction and distance of flowers, as everybody now knows."
const TOPICS = [
  { title: "Overview", summary: "Several subjects." },
  { title: "Hive seven", summary: "Dance in hive seven." },
  { title: "Harbors", summary: "Ships." },
]
const SPEECH = [
  "people met today and talked about many fine things at length.",
  "rockets dance in hive seven and burn methane before landing.",
  "pilots boarded ships while evening tides turned slowly.",
]

let f: MapFixture

beforeEach(async () => {
  f = await openMapFixture()
  for (const clip of ["a", "b", "c"]) await f.addClip(clip, TOPICS, SPEECH)
})
afterEach(() => f.close())

const putDocument = async (text: string) => {
  const embedder = await f.deps.engines.getEmbedder()
  const [vector] = await embedder.embed([text], "document")
  await f.deps.index.put({
    id: "bees",
    kind: "file",
    source: "/bees.md",
    fingerprint: "f",
    embedModel: embedder.name,
    chunks: [{ text, context: "", metadata: {}, vector: vector! }],
  })
}

const ask = async (question: string) => {
  const signal = new AbortController().signal
  const embedder = await f.deps.engines.getEmbedder()
  await indexClips(f.deps, embedder, signal)
  return retrieve(f.deps, embedder, { question, scope: "all", topK: 5, signal })
}

describe("chunks of documents and of recordings", () => {
  it("rank by the same measure, so that the titles of recordings do not hide the document with the answer", async () => {
    await putDocument(ANSWER)
    const found = await ask(QUESTION)
    expect(found[0]!.chunk.text).toBe(ANSWER)
    expect(found.map(({ chunk }) => chunk.kind)).toContain("clip")
  })

  it("rank by their own words if the topic of a recording has the same words", async () => {
    await putDocument("Dance in hive seven.")
    await ask("hive seven")
    const { hits } = await searchChunks(f.deps, "dance in hive seven", { scope: "all" })
    const [best] = await f.deps.index.getChunks(rowsOf(hits.slice(0, 1)))
    expect(best!.text).toBe("Dance in hive seven.")
  })

  it("rank recordings first whose topic the question is about", async () => {
    await putDocument("Ships of seven nations met today.")
    expect((await ask("rockets methane landing"))[0]!.chunk.text).toContain("rockets")
  })
})
