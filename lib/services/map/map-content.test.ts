import { describe, expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { VizCompute } from "../../map/types.ts"
import type { MapStore, MapTopic } from "../../storage/stores/ports/map.ts"
import { loadMapContent, type MapContent } from "./map-content.ts"
import { toUnit } from "./vectors.ts"

type Given = { readonly clip?: string; readonly level?: 1 | 2 | 3; readonly speech: string; readonly title?: string }

const lexical = { name: "builtin", isLexical: true } as Embedder
type Request = Parameters<VizCompute["embedTerms"]>[1]

/** A library of topics. Records what the map thread is asked. The position of a speech is given by its length. */
const createLibrary = () => {
  const state = { topics: [] as Given[], revision: 0, requests: [] as { key: string; request: Request }[], dims: 2 }
  const map = {
    getRevision: async () => state.revision,
    getSnapshot: async () => {
      const ids = [...new Set(state.topics.map(({ clip = "a" }) => clip))]
      return {
        revision: state.revision,
        clips: ids.map((id) => ({ id, title: id, speakers: {}, date: "" })),
        topics: state.topics.map(
          ({ clip = "a", level = 2, speech, title = speech }, i): MapTopic => ({
            clip_id: clip,
            level,
            number: `1.${i}`,
            title,
            summary: "",
            start_s: i,
            duration_s: 1,
            speaker: null,
            hash: title,
            text: title,
            speechHash: speech,
          }),
        ),
      }
    },
    getVectors: async () => new Map(),
    getSpeech: async (hashes: readonly string[]) =>
      new Map(hashes.map((hash) => [hash, { hash, terms: countTerms([hash]), phrases: [] }])),
  } as unknown as MapStore
  const viz = {
    embedTerms: async (key: string, request: Request) => {
      state.requests.push({ key, request })
      const space = { dims: state.dims } as Awaited<ReturnType<VizCompute["embedTerms"]>>["space"]
      const positions = new Float32Array(state.dims * request.texts.length)
      request.texts.forEach(({ hashes }, i) => {
        positions[i * state.dims + ((hashes[0] ?? 0) % state.dims)] = 2
      })
      return { space, positions }
    },
  }
  const deps = { store: { map }, viz } as unknown as Parameters<typeof loadMapContent>[0]
  const load = (topics: readonly Given[], previous: MapContent | null = null, embedder = lexical) => {
    state.topics = [...topics]
    state.revision++
    return loadMapContent(deps, embedder, previous)
  }
  return { state, load }
}
const vectorOf = ({ points }: MapContent, point: number) => {
  const row = points.rowOf[point]!
  return [...points.vectors.subarray(row * points.dims, (row + 1) * points.dims)]
}

describe("the content of the map", () => {
  it("has a row for each different speech", async () => {
    const { load } = createLibrary()
    const content = await load([{ speech: "bees" }, { speech: "tides" }, { speech: "bees", title: "Again" }])
    expect(content.hashes).toEqual(["bees", "tides"])
    expect([...content.points.rowOf]).toEqual([0, 1, 0])
    expect([content.points.rows, content.points.dims, content.model]).toEqual([2, 2, "builtin"])
    for (const point of [0, 1]) expect(Math.hypot(...vectorOf(content, point))).toBeCloseTo(1, 6)
    expect(await load([])).toMatchObject({ hashes: [], points: { rows: 0, dims: 0 } })
  })

  it("links recordings with each other, and in a single recording its topics", async () => {
    const { load } = createLibrary()
    const topics = ([1, 2, 3, 3, 2, 3] as const).map((level, i) => ({ level, speech: `s${i}` }))
    const one = await load(topics)
    expect([...one.links.groupOf]).toEqual([0, 1, 1, 1, 2, 2])
    expect([...one.links.levelOf]).toEqual([1, 2, 3, 3, 2, 3])
    const two = await load(topics.map((topic, i) => ({ ...topic, clip: i < 4 ? "a" : "b" })))
    expect([...two.links.groupOf]).toEqual([0, 0, 0, 0, 1, 1])
  })

  it("is the same for other titles, and another one for another speech, order, level or recording", async () => {
    const { load } = createLibrary()
    const topics: Given[] = [{ speech: "bees" }, { speech: "tides" }]
    const first = await load(topics)
    const renamed = await load([{ speech: "bees", title: "Renamed" }, topics[1]!], first)
    expect([renamed.key, renamed.points, renamed.snapshot.topics[0]!.title]).toEqual([
      first.key,
      first.points,
      "Renamed",
    ])
    expect(renamed.points).toBe(first.points)
    const changes: Given[][] = [
      [topics[1]!, topics[0]!],
      [{ ...topics[0]!, level: 3 }, topics[1]!],
      [topics[0]!, { ...topics[1]!, clip: "b" }],
      [{ speech: "wasps" }, topics[1]!],
    ]
    for (const changed of changes) expect((await load(changed, first)).key).not.toBe(first.key)
  })

  it("refuses vectors of different lengths, which two models of the same name give", async () => {
    const { load } = createLibrary()
    const learned = { name: "nomic", isLexical: false } as Embedder
    const vectors = new Map([
      ["bees.bees", Float32Array.of(1, 0)],
      ["tides.tides", Float32Array.of(1, 0, 0)],
    ])
    const previous = { ...(await load([])), vectors: { model: "nomic", keys: [], vectors, space: null } }
    await expect(load([{ speech: "bees" }, { speech: "tides" }], previous, learned)).rejects.toMatchObject({
      code: "internal",
      message: expect.stringMatching(/the vectors of nomic have both 2 and 3 dimensions.*SERVICE_EMBED_MODEL/),
    })
  })
})

describe("the positions of topics in the space of terms", () => {
  const hashes = ({ request }: { request: Request }) => request.texts.length

  it("are computed from topics and subtopics, each text once", async () => {
    const { state, load } = createLibrary()
    await load([{ level: 1, speech: "all" }, { speech: "bees" }, { level: 3, speech: "bees" }, { speech: "tides" }])
    const { request } = state.requests[0]!
    expect(request.space).toBeNull()
    expect(request.documents).toEqual(["bees", "tides"].map((text) => countTerms([text])))
    expect(request.texts).toHaveLength(3)
    const { state: only, load: loadOnly } = createLibrary()
    await loadOnly([{ level: 1, speech: "all" }])
    expect(only.requests[0]!.request.documents).toEqual([countTerms(["all"])])
  })

  it("include half of the topic of a subtopic", async () => {
    const { state, load } = createLibrary()
    state.dims = 64
    const content = await load([{ speech: "bees" }, { level: 3, speech: "tides" }])
    const at = (text: string) => countTerms([text]).hashes[0]! % 64
    const expected = new Array(64).fill(0)
    expected[at("tides")] += 1
    expected[at("bees")] += 0.5
    expect(vectorOf(content, 1)).toEqual([...toUnit(Float32Array.from(expected))].map((x) => expect.closeTo(x, 6)))
    expect(vectorOf(content, 0)[at("bees")]).toBe(1)
  })

  it("are reused in the same space of the same model, and computed anew in another one", async () => {
    const { state, load } = createLibrary()
    const topics: Given[] = [{ speech: "bees" }, { speech: "tides" }]
    const first = await load(topics)
    await load([{ level: 1, speech: "all" }, ...topics], first)
    expect(state.requests[1]).toMatchObject({ request: { documents: [], texts: [countTerms(["all"])] } })
    expect(state.requests[1]!.request.space).toBe(first.vectors.space!.terms)
    expect(state.requests[1]!.key).toBe(state.requests[0]!.key)
    await load([...topics, { speech: "wasps" }], first)
    expect([state.requests[2]!.request.space, hashes(state.requests[2]!)]).toEqual([null, 3])
    expect(state.requests[2]!.key).not.toBe(state.requests[0]!.key)
    await load(topics, first, { ...lexical, name: "builtin 2" })
    expect([state.requests[3]!.request.space, hashes(state.requests[3]!)]).toEqual([null, 2])
    const { vectors } = await load([topics[0]!, { level: 1, speech: "tides" }], first)
    expect([...vectors.vectors.keys()]).toEqual(["bees", "tides"])
  })

  it("of a large library are derived from its oldest recordings, at most 1200 topics", async () => {
    const documentsOf = async (clips: number, topicsPerClip: number) => {
      const { state, load } = createLibrary()
      const topics = Array.from({ length: clips * topicsPerClip }, (_, i) => ({
        clip: `c${Math.floor(i / topicsPerClip)}`,
        speech: `s${i}`,
      }))
      await load(topics)
      return state.requests[0]!.request.documents.length
    }
    expect(await documentsOf(4, 300)).toBe(1200)
    // 5 recordings: the oldest 4. 30 recordings: the oldest 22. 40 recordings: of the oldest 32 every second topic.
    expect(await documentsOf(5, 241)).toBe(964)
    expect(await documentsOf(30, 41)).toBe(22 * 41)
    expect(await documentsOf(40, 50)).toBe(800)
  })

  it("have a direction even without a known term", () => {
    expect([...toUnit(new Float32Array(3))]).toEqual([1, 0, 0])
    expect([...toUnit(new Float32Array(0))]).toEqual([1])
    expect([...toUnit(Float32Array.of(3, 4))]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)])
  })
})
