import { describe, expect, it } from "vitest"
import type { TopicPoint, VizData } from "#lib/domain/map.ts"
import { defaultColoring, getAncestors, getNeighbors, RADIUS, toModel } from "./model.ts"
import { MAX_GROUP_COLORS, NEUTRAL_RANK } from "./palette.ts"

const point = (number: string, clip: string, cluster: number, at: [number, number, number]): TopicPoint => ({
  topic_title: `topic ${number} of ${clip}`,
  clip_id: clip,
  clip_title: clip.toUpperCase(),
  level: number.split(".").length,
  start_s: 0,
  duration_s: 60,
  number,
  summary: "",
  x: at[0],
  y: at[1],
  z: at[2],
  cluster_id: cluster,
  region_id: null,
  speaker: null,
  speaker_name: null,
})

const data = (points: TopicPoint[], edges: VizData["edges"] = []): VizData => {
  const ids = [...new Set(points.map((p) => p.clip_id))]
  return {
    points,
    clip_ids: ids,
    clip_titles: Object.fromEntries(ids.map((id) => [id, id.toUpperCase()])),
    clip_dates: {},
    total_topics: points.length,
    total_clips: ids.length,
    edges,
    total_clusters: new Set(points.map((p) => p.cluster_id)).size,
    distance_threshold: 0.35,
    regions: [],
    labels: [],
    layout_version: 1,
    embed_model: "builtin",
  }
}

const four = data(
  [
    point("1", "a", 0, [1, 1, 1]),
    point("1.1", "a", 1, [2, 1, 1]),
    point("1.1.1", "a", 1, [3, 1, 1]),
    point("1", "b", 1, [2, 2, 1]),
  ],
  [
    { a: 1, b: 2, similarity: 0.7 },
    { a: 1, b: 3, similarity: 0.9 },
  ],
)

describe("defaultColoring", () => {
  it("returns cluster, or clip if most clusters have a single topic", () => {
    expect(defaultColoring(toModel(four))).toBe("cluster")
    const singletons = [0, 1, 2, 3].map((i) => point(`${i + 1}`, i < 2 ? "a" : "b", i, [i, 0, 0]))
    expect(defaultColoring(toModel(data(singletons)))).toBe("clip")
  })
})

describe("toModel", () => {
  it("centers and scales the points without letting one outlier shrink the rest or leave the view", () => {
    const near = Array.from({ length: 19 }, (_, i) => point("1", `c${i}`, 0, [i % 5, i % 3, i % 2]))
    const model = toModel(data([...near, point("1", "far", 0, [900, 0, 0])]))
    const distance = (i: number) => Math.hypot(...model.positions.subarray(i * 3, i * 3 + 3))
    const inside = near.filter((_, i) => distance(i) <= RADIUS * 1.01).length
    expect(inside).toBeGreaterThanOrEqual(17)
    expect(distance(19)).toBeGreaterThan(RADIUS * 2)
    expect(distance(19)).toBeLessThan(RADIUS * 5)
  })

  it("handles no points, one point and coinciding points", () => {
    expect(toModel(data([])).count).toBe(0)
    expect([...toModel(data([point("1", "a", 0, [5, 5, 5])])).positions]).toEqual([0, 0, 0])
    const same = toModel(data([point("1", "a", 0, [5, 5, 5]), point("1", "b", 0, [5, 5, 5])]))
    expect(same.positions.every(Number.isFinite)).toBe(true)
  })

  it("ranks groups by size and names a cluster after its central topic, never after a whole recording", () => {
    const { groupings } = toModel(four)
    expect(groupings.clip.groups.map((g) => [g.name, g.size])).toEqual([
      ["A", 3],
      ["B", 1],
    ])
    expect(groupings.cluster.groups.map((g) => [g.id, g.rank, g.size, g.clips])).toEqual([
      [1, 0, 3, 2],
      [0, 1, 1, 1],
    ])
    expect(groupings.cluster.groups[0]?.name).toMatch(/^topic 1\.1/)
  })

  it("draws single-topic clusters in gray if there are more clusters than colors", () => {
    const clusters = (count: number) =>
      toModel(data(Array.from({ length: count }, (_, i) => point(`${i + 1}`, "a", i, [i, 0, 0])))).groupings.cluster
        .groups
    expect(clusters(MAX_GROUP_COLORS).map((g) => g.rank)).toEqual([...Array(MAX_GROUP_COLORS).keys()])
    expect(clusters(MAX_GROUP_COLORS + 1).every((g) => g.rank === NEUTRAL_RANK)).toBe(true)
  })

  it("returns the neighbors of a point from both ends of their edges, the most similar first", () => {
    const model = toModel(four)
    expect(getNeighbors(model, 1).map((n) => n.index)).toEqual([3, 2])
    expect(getNeighbors(model, 3).map((n) => n.index)).toEqual([1])
    expect(getNeighbors(model, 0)).toEqual([])
  })

  it("returns the topics that contain a topic", () => {
    const model = toModel(four)
    expect(getAncestors(model, 2)).toEqual([0, 1])
    expect(getAncestors(model, 3)).toEqual([])
  })
})

describe("regions", () => {
  const regions: VizData["regions"] = [
    { id: 0, name: "Remote control", point: 1, size: 3, clips: 2, radius: 1 },
    { id: 1, name: "Schools", point: 4, size: 2, clips: 1, radius: 1 },
  ]
  const regionIds = [0, 0, 0, 1, 1, null]
  const six = [...Array(6).keys()].map((i) => ({
    ...point(`1.${i}`, i < 2 ? "a" : "b", 0, [i, 0, 0]),
    region_id: regionIds[i]!,
  }))

  it("are groups with the names of the service, and points without one are gray", () => {
    const { ids, groups } = toModel({ ...data(six), regions }).groupings.region
    expect([...ids]).toEqual([0, 0, 0, 1, 1, 2])
    expect(groups.map(({ name, size, clips, anchor }) => [name, size, clips, anchor])).toEqual([
      ["Remote control", 3, 2, 1],
      ["Schools", 2, 1, 4],
      ["No region", 1, 1, 5],
    ])
    expect(groups.map(({ rank }) => rank)).toEqual([0, 1, NEUTRAL_RANK])
  })

  it("color a map of several recordings by default", () => {
    expect(defaultColoring(toModel({ ...data(six), regions }))).toBe("region")
    const oneClip = six.map((p) => ({ ...p, clip_id: "a" }))
    expect(defaultColoring(toModel({ ...data(oneClip), regions }))).toBe("cluster")
  })
})
