import { describe, expect, it } from "vitest"
import type { VizData } from "#lib/domain/map.ts"
import { parentOf } from "../panels/use-rail-keys.ts"
import { type MapModel, toModel } from "./model.ts"
import { foldersAbove, foldersOf, type Row, rowsOf, topsOf, treeOf } from "./rows.ts"

/** Recording, number, subject. */
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
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
}
const model: MapModel = toModel(data)
const subjects = treeOf(model, "cluster")
const said = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === "topic"
      ? `${"  ".repeat(row.level - 1)}${model.points[row.index]!.topic_title}`
      : row.kind === "clip"
        ? `  ${clips[row.clip]} (${row.topics.length})`
        : `${row.group.id} (${row.topics.length})`,
  )

describe("the list", () => {
  it("goes from subjects to recordings to topics, the largest first, numbers as people count", () => {
    expect(said(rowsOf(subjects, new Set()))).toEqual([
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

  it("goes from recordings to topics at once", () => {
    expect(said(rowsOf(treeOf(model, "clip"), new Set()))).toEqual([
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

  it("folds a recording, a subject, or all", () => {
    const folders = foldersOf(subjects)
    expect(folders).toEqual(["", "/a", "/c", "/b"].map((rest) => `cluster a~1${rest}`))
    expect(said(rowsOf(subjects, new Set(["cluster a~1/a"]))).slice(0, 4)).toEqual([
      "0 (6)",
      "  a (3)",
      "  c (2)",
      "    t5",
    ])
    expect(said(rowsOf(subjects, new Set(folders)))).toEqual(["0 (6)", "t4", "t7"])
  })

  it("keeps what is folded when a new map numbers subjects and recordings otherwise", () => {
    const other = toModel({
      ...data,
      clip_ids: ["c", "b", "a"],
      points: data.points.map((p) => ({ ...p, cluster_id: 2 - p.cluster_id })),
    })
    expect(foldersOf(treeOf(other, "cluster")).sort()).toEqual(foldersOf(subjects).sort())
    expect(foldersOf(treeOf(other, "clip")).sort()).toEqual(foldersOf(treeOf(model, "clip")).sort())
  })

  it("says which folders a topic lies in, and sets none between a subject and the one recording it lies in", () => {
    expect(foldersAbove(subjects, 5)).toEqual(["cluster a~1", "cluster a~1/c"])
    expect(foldersAbove(treeOf(model, "clip"), 5)).toEqual(["clip c~1"])
    const pair = treeOf(toModel({ ...data, points: data.points.slice(0, 2), total_clusters: 1 }), "cluster")
    expect(rowsOf(pair, new Set()).map((row) => `${row.level} ${row.kind}`)).toEqual(["1 group", "2 topic", "2 topic"])
  })

  it("tells a screen reader where each line stands", () => {
    const rows = rowsOf(subjects, new Set())
    expect(rows.map((r) => `${r.level}: ${r.position}/${r.of}`)).toEqual([
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
    expect(rows.map((_, at) => parentOf(rows, at))).toEqual([0, 0, 1, 1, 1, 0, 5, 5, 0, 8, 10, 11])
  })

  it("gives what has a second line more room, and fingers more than a pointer", () => {
    const rows = rowsOf(subjects, new Set())
    const tops = topsOf(rows, "cluster", "pointer")
    expect(tops[1]! - tops[0]!).toBeGreaterThan(tops[2]! - tops[1]!)
    expect(tops).toHaveLength(rows.length + 1)
    const finger = topsOf(rows, "cluster", "finger")
    expect(rows.every((_, i) => finger[i + 1]! - finger[i]! >= 44)).toBe(true)
  })
})
