import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { vizData as vizDataSchema } from "../../domain/map.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { getVizData, getVizEtag } from "./map-data.ts"
import { type MapFixture, openMapFixture, topicsAbout } from "./testing/map-fixture.ts"

const query = { distance_threshold: 0.35 }
let f: MapFixture

beforeEach(async () => {
  f = await openMapFixture()
})
afterEach(() => f.close())

type Body = Awaited<ReturnType<typeof getVizData>>["body"]
const coordsByTopic = (body: Body) => new Map(body.points.map((p) => [`${p.clip_id} ${p.number}`, [p.x, p.y, p.z]]))
const waitForRefit = async (version: number) => {
  for (let i = 0; i < 200; i++) {
    const answer = await getVizData(f.deps, query)
    if (answer.body.layout_version > version) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("timed out waiting for a refit")
}

describe("getVizData", () => {
  it("returns an empty map without topics", async () => {
    const { body } = await getVizData(f.deps, query)
    expect(vizDataSchema.parse(body)).toMatchObject({ points: [], edges: [], total_topics: 0, total_clusters: 0 })
  })

  it("returns every topic as a finite point with its clip, in the order of the store", async () => {
    await f.addClip("a", topicsAbout("a", 8))
    await f.addClip("b", topicsAbout("bb", 5))
    const body = vizDataSchema.parse((await getVizData(f.deps, query)).body)
    const { topics } = await f.store.map.getSnapshot()
    expect(body.points.map((p) => [p.clip_id, p.number])).toEqual(topics.map((t) => [t.clip_id, t.number]))
    expect(body.points.every((p) => [p.x, p.y, p.z].every(Number.isFinite))).toBe(true)
    expect(body).toMatchObject({ clip_ids: ["a", "b"], clip_titles: { a: "Clip a", b: "Clip b" }, total_clips: 2 })
    expect([body.total_topics, body.total_clusters]).toEqual([13, new Set(body.points.map((p) => p.cluster_id)).size])
    expect(body.points[8]).toMatchObject({ clip_title: "Clip b", level: 1, number: "1" })
  })

  it("changes only clusters with the threshold, not order or coordinates", async () => {
    await f.addClip("a", topicsAbout("a", 20))
    const [tight, loose] = await Promise.all(
      [0, 1].map(async (t) => (await getVizData(f.deps, { distance_threshold: t })).body),
    )
    expect(coordsByTopic(tight!)).toEqual(coordsByTopic(loose!))
    expect(tight!.edges).toEqual(loose!.edges)
    expect(tight!.total_clusters).toBe(20)
    expect(loose!.total_clusters).toBeLessThan(20)
    expect(f.requests).toEqual(["compose"])
  })

  it("computes the first layout once for concurrent requests and nothing afterwards", async () => {
    await f.addClip("a", topicsAbout("a", 30))
    const answers = await Promise.all(Array.from({ length: 5 }, () => getVizData(f.deps, query)))
    expect(new Set(answers.map((a) => a.body)).size).toBe(1)
    expect(f.requests).toEqual(["compose"])
    for (let i = 0; i < 20; i++) expect((await getVizData(f.deps, query)).body).toBe(answers[0]!.body)
    expect(f.requests).toEqual(["compose"])
  })

  it("returns the ETag of the response without computing it", async () => {
    await f.addClip("a", topicsAbout("a", 6))
    const before = await getVizEtag(f.deps, query)
    expect(f.requests).toEqual([])
    const first = await getVizData(f.deps, query)
    expect(first.etag).not.toBe(before)
    expect(await getVizEtag(f.deps, query)).toBe(first.etag)
    expect(await getVizEtag(f.deps, { distance_threshold: 0.5 })).not.toBe(first.etag)
    expect(await getVizEtag(f.start(), query)).toBe(first.etag)
    expect(f.requests).toEqual(["compose"])
    await f.addClip("b", topicsAbout("b", 1))
    expect(await getVizEtag(f.deps, query)).not.toBe(first.etag)
  })

  it("includes a new clip in the next response without moving any point, then refits in the background", async () => {
    await f.addClip("a", topicsAbout("a", 40))
    const before = await getVizData(f.deps, query)
    await f.addClip("b", topicsAbout("bb", 10))
    const next = await getVizData(f.deps, query)
    expect(next.body.points).toHaveLength(50)
    expect(next.body.layout_version).toBe(before.body.layout_version)
    const now = coordsByTopic(next.body)
    for (const [name, place] of coordsByTopic(before.body)) expect(now.get(name)).toEqual(place)
    expect(f.requests).toEqual(["compose", "compose"])
    const after = await waitForRefit(before.body.layout_version)
    expect(after.etag).not.toBe(next.etag)
    expect(after.body.points.map((p) => p.topic_title)).toEqual(next.body.points.map((p) => p.topic_title))
    expect((await f.store.map.getLayout(after.body.embed_model))?.hashes).toHaveLength(50)
    expect(f.requests).toEqual(["compose", "compose", "refit"])
    expect((await getVizData(f.deps, query)).etag).toBe(after.etag)
  })

  it("aborts a refit for newer topics, which appear in the next response and layout", async () => {
    await f.addClip("a", topicsAbout("a", 30))
    const before = await getVizData(f.deps, query)
    let release = () => {}
    f.gate.open = new Promise((resolve) => {
      release = resolve
    })
    await f.addClip("b", topicsAbout("bb", 5))
    await getVizData(f.deps, query)
    while (!f.requests.includes("refit")) await new Promise((resolve) => setTimeout(resolve, 10))
    await f.addClip("c", topicsAbout("ccc", 5))
    const next = await getVizData(f.deps, query)
    expect(next.body.points).toHaveLength(40)
    expect(next.body.layout_version).toBe(before.body.layout_version)
    release()
    const after = await waitForRefit(before.body.layout_version)
    expect(after.body.layout_version).toBe(before.body.layout_version + 1)
    expect((await f.store.map.getLayout(after.body.embed_model))?.hashes).toHaveLength(40)
    expect(f.requests).toEqual(["compose", "compose", "refit", "compose", "refit"])
  })

  it("uses the layout of a process that saved first", async () => {
    await f.addClip("a", topicsAbout("a", 30))
    const [one, other] = await Promise.all([getVizData(f.deps, query), getVizData(f.start(), query)])
    expect(coordsByTopic(one.body)).toEqual(coordsByTopic(other.body))
    expect([one.body.layout_version, other.body.layout_version]).toEqual([1, 1])
  })

  it("does not compute anything if the same texts are saved again", async () => {
    await f.addClip("a", topicsAbout("a", 8))
    const before = await getVizData(f.deps, query)
    await f.saveTopics("a", (await f.store.clips.get("a"))!.tree.topics)
    const after = await getVizData(f.deps, query)
    expect(after.etag).not.toBe(before.etag)
    expect(after.body).toEqual(before.body)
    expect(f.requests).toEqual(["compose"])
  })

  it("aligns a refit with the previous layout", async () => {
    await f.addClip("a", topicsAbout("a", 60))
    const before = await getVizData(f.deps, query)
    await f.addClip("b", topicsAbout("bb", 2))
    await getVizData(f.deps, query)
    const after = coordsByTopic((await waitForRefit(before.body.layout_version)).body)
    // If the layout were mirrored or rotated, old and new coordinates would not correlate along each axis.
    const [x, y] = [
      [...coordsByTopic(before.body).values()],
      [...coordsByTopic(before.body).keys()].map((k) => after.get(k)!),
    ]
    const mean = (m: number[][], c: number) => m.reduce((sum, p) => sum + p[c]!, 0) / m.length
    let [xy, xx, yy] = [0, 0, 0]
    for (const c of [0, 1, 2])
      x.forEach((p, i) => {
        const [u, v] = [p[c]! - mean(x, c), y[i]![c]! - mean(y, c)]
        xy += u * v
        xx += u * u
        yy += v * v
      })
    expect(xy / Math.sqrt(xx * yy)).toBeGreaterThan(0.6)
  })

  it("returns the same map after a restart, from the stored layout", async () => {
    await f.addClip("a", topicsAbout("a", 25))
    const before = await getVizData(f.deps, query)
    const after = await getVizData(f.start(), query)
    expect(after).toEqual(before)
  })

  it("runs after a restart the refit that the previous process did not finish", async () => {
    await f.addClip("a", topicsAbout("a", 25))
    const { body } = await getVizData(f.deps, query)
    await f.addClip("b", topicsAbout("bb", 5))
    const restarted = f.start()
    expect((await getVizData(restarted, query)).body.points).toHaveLength(30)
    f.deps.viz.close()
    f = { ...f, deps: restarted }
    expect((await waitForRefit(body.layout_version)).body.points).toHaveLength(30)
  })

  it("lets topics vanish without a refit", async () => {
    await f.addClip("a", topicsAbout("a", 12))
    await f.addClip("b", topicsAbout("bb", 6))
    const before = await getVizData(f.deps, query)
    await f.saveTopics("a", [])
    const after = await getVizData(f.deps, query)
    expect(after.body.clip_ids).toEqual(["b"])
    for (const [name, place] of coordsByTopic(after.body)) expect(coordsByTopic(before.body).get(name)).toEqual(place)
    expect(f.requests).toEqual(["compose", "compose"])
  })

  it("places a single topic at zero, also after the others have vanished", async () => {
    await f.addClip("a", topicsAbout("a", 1))
    await f.addClip("b", topicsAbout("bb", 9))
    const place = async () => (await getVizData(f.deps, query)).body.points.map(({ x, y, z }) => [x, y, z])
    expect(await place()).not.toContainEqual([0, 0, 0])
    await f.store.clips.delete("b")
    expect(await place()).toEqual([[0, 0, 0]])
  })

  it("computes a new layout if no topic of the old one is left", async () => {
    await f.addClip("a", topicsAbout("a", 5))
    await getVizData(f.deps, query)
    await f.saveTopics("a", [])
    await getVizData(f.deps, query)
    await f.addClip("b", topicsAbout("bb", 9))
    const { body } = await getVizData(f.deps, query)
    expect(body.points).toHaveLength(9)
    expect(body.layout_version).toBe(2)
  })

  it("links, clusters and separates two clips with the same transcript", async () => {
    await f.addClip("a", topicsAbout("same", 7))
    await f.addClip("b", topicsAbout("same", 7))
    const { body } = await getVizData(f.deps, query)
    const pairs = new Set(body.edges.map((e) => `${e.a} ${e.b}`))
    for (const { similarity } of body.edges) {
      expect(similarity).toBeGreaterThan(0)
      expect(similarity).toBeLessThanOrEqual(1)
      expect(similarity).toBe(Number(similarity.toFixed(6)))
    }
    for (let i = 0; i < 7; i++) {
      const [p, q] = [body.points[i]!, body.points[i + 7]!]
      expect(q.cluster_id).toBe(p.cluster_id)
      expect(pairs.has(`${i} ${i + 7}`)).toBe(true)
      const gap = Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z)
      expect(gap).toBeGreaterThan(0)
      expect(gap).toBeLessThan(0.2)
    }
  })

  it("computes what is said in topics if it is missing", async () => {
    await f.addClip("a", topicsAbout("a", 9))
    const before = await getVizData(f.deps, query)
    f.raw.exec("delete from topic_speech; update topics set speech_hash = null")
    expect(await getVizData(f.start(), query)).toEqual(before)
  })

  it("shows the same links and clusters after a recording was added as a new process", async () => {
    const embedder = await f.deps.engines.getEmbedder()
    const known: boolean[] = []
    const useModel = (deps: MapFixture["deps"]): MapFixture["deps"] => ({
      ...deps,
      engines: { ...deps.engines, getEmbedder: async () => ({ ...embedder, name: "model", isLexical: false }) },
      viz: {
        ...deps.viz,
        compose: (key, request) => {
          known.push(Boolean(request.known))
          return deps.viz.compose(key, request)
        },
      },
    })
    await f.addClip("a", topicsAbout("a", 60))
    const deps = useModel(f.deps)
    await getVizData(deps, query)
    await f.addClip("b", topicsAbout("bb", 5))
    const { body } = await getVizData(deps, query)
    const fresh = (await getVizData(useModel(f.start()), query)).body
    expect(known).toEqual([false, true, false])
    expect(body.edges.map(({ a, b }) => [a, b])).toEqual(fresh.edges.map(({ a, b }) => [a, b]))
    expect(body.points.map((p) => p.cluster_id)).toEqual(fresh.points.map((p) => p.cluster_id))
  })

  it("chooses a threshold that gives a number of clusters which a person can survey", async () => {
    for (const id of ["a", "bb", "ccc", "dddd"]) await f.addClip(id, topicsAbout(id, 20))
    const { body, etag } = await getVizData(f.deps, {})
    expect(body.total_clusters).toBeGreaterThanOrEqual(Math.sqrt(76) / 2)
    expect(body.total_clusters).toBeLessThanOrEqual(2 * Math.sqrt(76))
    const same = await getVizData(f.deps, { distance_threshold: body.distance_threshold })
    expect(same.body.points).toEqual(body.points)
    expect(await getVizEtag(f.deps, {})).toBe(etag)
    expect(same.etag).not.toBe(etag)
  })

  it("keeps a topic in its place when its title changes", async () => {
    await f.addClip("a", topicsAbout("a", 8), Array(8).fill("what was said stays"))
    const before = await getVizData(f.deps, query)
    await f.store.topics.edit("a", "1.2", { title: "A new title" })
    const after = await getVizData(f.deps, query)
    expect(after.body.points.map(({ x, y, z }) => [x, y, z])).toEqual(
      before.body.points.map(({ x, y, z }) => [x, y, z]),
    )
    expect(after.body.points.some((point) => point.topic_title === "A new title")).toBe(true)
    expect(f.requests).toEqual(["compose"])
  })

  it("names the unreachable model server if a vector is missing, and recovers", async () => {
    await f.addClip("a", topicsAbout("a", 3))
    await f.store.installation.setChoice("embedder", { value: "ollama", reason: "test" })
    const config = loadConfig({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:9" })
    const failing = f.start({ config })
    await expect(getVizData(failing, query)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/127\.0\.0\.1:9/),
    })
    await f.store.installation.setChoice("embedder", { value: "builtin", reason: "test" })
    expect((await getVizData(failing, query)).body.points).toHaveLength(3)
  })

  it("fails without capability group rag", async () => {
    const groups = {
      ...f.deps.groups,
      rag: { state: "missing", detail: "better-sqlite3 is missing", install: "npm i" },
    }
    const bare = { ...f.deps, store: null, groups } as typeof f.deps
    await expect(getVizData(bare, query)).rejects.toMatchObject({ code: "capability_missing" })
    await expect(getVizEtag(bare, query)).rejects.toMatchObject({ code: "capability_missing" })
  })
})
