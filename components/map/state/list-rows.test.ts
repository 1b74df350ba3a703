import { describe, expect, it } from "vitest"
import type { VizData } from "#lib/domain/map.ts"
import { findParentRow } from "../panels/use-topic-list-keys.ts"
import {
  computeRowOffsets,
  findFolderKeys,
  getListTree,
  listFolderKeys,
  listVisibleRows,
  type Row,
} from "./list-rows.ts"
import { type MapModel, toModel } from "./model.ts"

/** Recording, number, cluster. */
const places = [
  ["a", "1", 0],
  ["a", "1.10", 0],
  ["a", "1.2", 0],
  ["b", "1", 0],
  ["b", "1.1", 1],
  ["c", "1.1", 0],
  ["c", "1.2", 0],
  ["c", "1", 2],
] as const

const clips = ["a", "b", "c"]
const data: VizData = {
  points: places.map(([clip, number, cluster], i) => ({
    topic_title: `t${i}`,
    clip_id: clip,
    clip_title: clip.toUpperCase(),
    level: number.split(".").length,
    start_s: 0,
    duration_s: 1,
    number,
    summary: "",
    x: i,
    y: 0,
    z: 0,
    cluster_id: cluster,
    region_id: null,
    speaker: null,
    speaker_name: null,
  })),
  clip_ids: clips,
  clip_titles: Object.fromEntries(clips.map((id) => [id, id.toUpperCase()])),
  clip_dates: {},
  total_topics: places.length,
  total_clips: clips.length,
  edges: [],
  total_clusters: 3,
  distance_threshold: 0.35,
  regions: [],
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
}
const model: MapModel = toModel(data)
const clusterTree = getListTree(model, "cluster")
const describeRows = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === "topic"
      ? `${"  ".repeat(row.level - 1)}${model.points[row.index]!.topic_title}`
      : row.kind === "clip"
        ? `  ${clips[row.clip]} (${row.topics.length})`
        : `${row.group.id} (${row.topics.length})`,
  )

describe("topic list rows", () => {
  it("lists groups, recordings and topics, the largest first, with topics in numeric order", () => {
    expect(describeRows(listVisibleRows(clusterTree, new Set()))).toEqual([
      "0 (6)",
      "  a (3)",
      "    t0",
      "    t2",
      "    t1",
      "  c (2)",
      "    t5",
      "    t6",
      "  b (1)",
      "    t3",
      "t4",
      "t7",
    ])
  })

  it("lists topics directly below recordings when grouped by recording", () => {
    expect(describeRows(listVisibleRows(getListTree(model, "clip"), new Set()))).toEqual([
      "0 (3)",
      "  t0",
      "  t2",
      "  t1",
      "2 (3)",
      "  t7",
      "  t5",
      "  t6",
      "1 (2)",
      "  t3",
      "  t4",
    ])
  })

  it("omits the rows inside closed folders", () => {
    const folders = listFolderKeys(clusterTree)
    expect(folders).toEqual(["", "/a", "/c", "/b"].map((rest) => `cluster a~1${rest}`))
    expect(describeRows(listVisibleRows(clusterTree, new Set(["cluster a~1/a"]))).slice(0, 4)).toEqual([
      "0 (6)",
      "  a (3)",
      "  c (2)",
      "    t5",
    ])
    expect(describeRows(listVisibleRows(clusterTree, new Set(folders)))).toEqual(["0 (6)", "t4", "t7"])
  })

  it("keeps folder keys when a new map numbers groups and recordings differently", () => {
    const other = toModel({
      ...data,
      clip_ids: ["c", "b", "a"],
      points: data.points.map((p) => ({ ...p, cluster_id: 2 - p.cluster_id, region_id: null })),
    })
    expect(listFolderKeys(getListTree(other, "cluster")).sort()).toEqual(listFolderKeys(clusterTree).sort())
    expect(listFolderKeys(getListTree(other, "clip")).sort()).toEqual(listFolderKeys(getListTree(model, "clip")).sort())
  })

  it("finds the folders of a topic and adds no recording folder to a group of one recording", () => {
    expect(findFolderKeys(clusterTree, 5)).toEqual(["cluster a~1", "cluster a~1/c"])
    expect(findFolderKeys(getListTree(model, "clip"), 5)).toEqual(["clip c~1"])
    const pair = getListTree(toModel({ ...data, points: data.points.slice(0, 2), total_clusters: 1 }), "cluster")
    expect(listVisibleRows(pair, new Set()).map((row) => `${row.level} ${row.kind}`)).toEqual([
      "1 group",
      "2 topic",
      "2 topic",
    ])
  })

  it("sets level, position and number of siblings for screen readers", () => {
    const rows = listVisibleRows(clusterTree, new Set())
    expect(rows.map((r) => `${r.level}: ${r.position}/${r.siblings}`)).toEqual([
      "1: 1/3",
      "2: 1/3",
      "3: 1/3",
      "3: 2/3",
      "3: 3/3",
      "2: 2/3",
      "3: 1/2",
      "3: 2/2",
      "2: 3/3",
      "3: 1/1",
      "1: 2/3",
      "1: 3/3",
    ])
    expect(rows.map((_, at) => findParentRow(rows, at))).toEqual([0, 0, 1, 1, 1, 0, 5, 5, 0, 8, 10, 11])
  })

  it("makes rows with two lines taller and touch targets at least 44 px high", () => {
    const rows = listVisibleRows(clusterTree, new Set())
    const offsets = computeRowOffsets(rows, "cluster", "pointer")
    expect(offsets[1]! - offsets[0]!).toBeGreaterThan(offsets[2]! - offsets[1]!)
    expect(offsets).toHaveLength(rows.length + 1)
    const touch = computeRowOffsets(rows, "cluster", "touch")
    expect(rows.every((_, i) => touch[i + 1]! - touch[i]! >= 44)).toBe(true)
  })
})
