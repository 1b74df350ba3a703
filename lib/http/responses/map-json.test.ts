import { describe, expect, it } from "vitest"
import { vizData } from "../../domain/map.ts"
import { fromEdgeColumns, fromPointColumns } from "../../domain/map-columns.ts"
import type { MapClusters, UnclusteredMap, VizDataAnswer } from "../../services/map/map-data.ts"
import { toMapJson } from "./map-json.ts"

const read = async (answer: VizDataAnswer, fields?: readonly string[]): Promise<string> => {
  const json = await toMapJson(answer, fields)
  const bytes = Buffer.concat([...json.parts()])
  expect(bytes).toHaveLength(json.byteLength)
  return bytes.toString()
}

const createMap = (count: number): UnclusteredMap => ({
  points: Array.from({ length: count }, (_, i) => ({
    topic_title: `"Topic" ${i} über 蜂`,
    clip_id: "a",
    clip_title: "A",
    level: 2,
    start_s: i,
    duration_s: 1,
    number: `1.${i}`,
    summary: "",
    x: i,
    y: 0.5,
    z: -1,
    region_id: null,
    speaker: "0",
    speaker_name: null,
  })),
  clip_ids: ["a"],
  clip_titles: { a: "A" },
  clip_dates: { a: "2026-01-01T00:00:00.000Z" },
  total_topics: count,
  total_clips: 1,
  edges: [],
  regions: [],
  labels: [],
  layout_version: 1,
  embed_model: "m",
})

const answerOf = (map: UnclusteredMap, clusters: MapClusters): VizDataAnswer => {
  const { labels, ...figures } = clusters
  const points = map.points.map((point, i) => ({ ...point, cluster_id: labels[i]! }))
  return { map, clusters, etag: "", body: { ...map, ...figures, points } }
}

const clustersOf = (labels: number[], distance_threshold: number): MapClusters => ({
  labels: Int32Array.from(labels),
  total_clusters: new Set(labels).size,
  distance_threshold,
})

describe("toMapJson", () => {
  it("adds the clusters of each threshold to the same map", async () => {
    const map = createMap(3)
    for (const clusters of [clustersOf([0, 1, 0], 0.5), clustersOf([0, 0, 0], 1)]) {
      const answer = answerOf(map, clusters)
      expect(vizData.parse(JSON.parse(await read(answer)))).toEqual(answer.body)
    }
  })

  it("serializes an empty map, and one of more points than are serialized at once", async () => {
    for (const count of [0, 1, 1000, 4001]) {
      const labels = Array.from({ length: count }, (_, i) => 3 * i)
      const answer = answerOf(createMap(count), clustersOf(labels, 0.5))
      expect(JSON.parse(await read(answer))).toEqual(answer.body)
    }
  })

  it("serializes only the given fields", async () => {
    const answer = answerOf(createMap(3), clustersOf([0, 1, 0], 0.5))
    const { points, total_clusters, clip_titles } = answer.body
    const readFields = async (...fields: string[]) => JSON.parse(await read(answer, fields))
    expect(await readFields("points")).toEqual({ points })
    expect(await readFields("points", "total_clusters")).toEqual({ points, total_clusters })
    expect(await readFields("clip_titles", "total_clusters")).toEqual({ clip_titles, total_clusters })
    expect(JSON.parse(await read(answer))).toEqual(answer.body)
  })

  it("serializes points and edges as columns, with the clusters of each threshold", async () => {
    const map = { ...createMap(1200), edges: [{ a: 0, b: 2, similarity: 0.25 }] }
    for (const labels of [Array.from(map.points, (_, i) => i), Array.from(map.points, () => 0)]) {
      const answer = answerOf(map, clustersOf(labels, 0.5))
      const data = JSON.parse(await read(answer, ["clip_ids", "clip_titles", "point_columns", "edge_columns"]))
      expect(data.point_columns.cluster_id).toEqual(labels)
      expect(fromEdgeColumns(data.edge_columns)).toEqual(map.edges)
      const points = fromPointColumns(data.point_columns, data)
      expect(points.map(({ x, y, z, ...rest }) => rest)).toEqual(answer.body.points.map(({ x, y, z, ...rest }) => rest))
    }
    expect(Object.keys(JSON.parse(await read(answerOf(map, clustersOf([], 1)), ["edge_columns"])))).toEqual([
      "edge_columns",
    ])
  })

  it("rejects a map that does not match its schema", async () => {
    const map = createMap(2)
    const broken = { ...map, points: map.points.map((point) => ({ ...point, x: Number.NaN })) }
    await expect(toMapJson(answerOf(broken, clustersOf([0, 0], 0.5)))).rejects.toThrow(/does not match its schema.*x/s)
  })
})
