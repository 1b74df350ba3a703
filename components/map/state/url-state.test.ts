import { describe, expect, it } from "vitest"
import type { VizData } from "#lib/domain/map.ts"
import { writePointColors } from "../scene/point-colors.ts"
import { computeHighlighted } from "./highlight.ts"
import { toModel } from "./model.ts"
import { INITIAL_STATE, NONE } from "./store.ts"
import { carryOverState, formatUrlState, parseUrlState, replaceUrlState } from "./url-state.ts"

const places = [
  ["a", "1", 0],
  ["a", "1.1", 1],
  ["a", "1.10", 1],
  ["a", "1.2", 1],
  ["b&c", "1", 0],
] as const
const data: VizData = {
  points: places.map(([clip, number, cluster], i) => ({
    topic_title: `t${i}`,
    clip_id: clip,
    clip_title: clip,
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
  clip_ids: ["a", "b&c"],
  clip_titles: { a: "A", "b&c": "B" },
  clip_dates: { a: "2026-03-01T12:00:00.000Z", "b&c": "2026-03-09T12:00:00.000Z" },
  total_topics: 5,
  total_clips: 2,
  edges: [],
  total_clusters: 2,
  distance_threshold: 0.35,
  regions: [],
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
}
const model = toModel(data)
const state = { ...INITIAL_STATE, model }

describe("URL state", () => {
  it("replaces its own parameters and keeps all others", () => {
    const query = replaceUrlState("points=300&q=bees&theme=dark", { ...state, flat: true })
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({ points: "300", theme: "dark", flat: "1" })
  })

  it("restores the state it was formatted from", () => {
    const some = { ...state, clip: 1, selected: 4, coloring: "clip" as const, allEdges: true, query: "bees & honey" }
    const query = formatUrlState(some)
    const { clip, selected, coloring, allEdges, query: q } = some
    expect(parseUrlState(Object.fromEntries(new URLSearchParams(query)), model)).toMatchObject({
      clip,
      selected,
      coloring,
      allEdges,
      query: q,
      view: { to: "point", index: 4 },
    })
  })

  it("keeps the timeline and its span, and ignores a span without an axis", () => {
    const span = { from: 1_772_000_000, to: 1_772_900_000 }
    const kept = Object.fromEntries(new URLSearchParams(formatUrlState({ ...state, axis: "date", span })))
    expect(parseUrlState(kept, model)).toMatchObject({ axis: "date", span })
    for (const wrong of [{ span: "3_9" }, { line: "year", span: "3_9" }])
      expect(parseUrlState(wrong, model)).toMatchObject({ axis: null, span: null })
    expect(parseUrlState({ line: "place", span: "9_3" }, model)).toMatchObject({ axis: "place", span: null })
  })

  it("keeps groups and collected topics when a recording is deleted", () => {
    const coloring = "clip" as const
    const before = { ...state, coloring, soloGroup: 1, dimmedGroups: new Set([1]), collected: [0, 4] }
    const points = data.points.slice(4)
    const fewer = toModel({ ...data, points, clip_ids: ["b&c"], total_topics: 1, total_clips: 1 })
    const kept = Object.fromEntries(new URLSearchParams(formatUrlState(before)))
    expect(parseUrlState(kept, fewer)).toMatchObject({ soloGroup: 0, dimmedGroups: new Set([0]), collected: [0] })
    expect(carryOverState(fewer, before)).toEqual({ soloGroup: 0, dimmedGroups: new Set([0]), collected: [0] })
    expect(carryOverState(fewer, { ...before, soloGroup: 0, dimmedGroups: new Set(), collected: null })).toEqual({
      soloGroup: NONE,
      dimmedGroups: new Set(),
      collected: null,
    })
  })

  it("is empty for the initial state and ignores values that are not on the map", () => {
    expect(formatUrlState(state)).toBe("")
    expect(parseUrlState({ clip: "gone", topic: "a~9.9", colour: "sound" }, model)).toMatchObject({
      clip: NONE,
      selected: NONE,
      coloring: "cluster",
      view: { to: "all" },
    })
  })
})

describe("invalid URL state", () => {
  const read = (address: Parameters<typeof parseUrlState>[0]) => parseUrlState(address, model)

  it("ignores unknown groups", () => {
    expect(read({ solo: "gone~1", off: "b&c~1 gone~2 7" })).toMatchObject({
      soloGroup: NONE,
      dimmedGroups: new Set([0]),
    })
    expect(read({ colour: "level", solo: "1" })).toMatchObject({ soloGroup: 1 })
  })

  it("ignores camera positions that are malformed or out of range", () => {
    expect(read({ camera: "1_2_30_0_0_0" })).toMatchObject({ camera: [1, 2, 30, 0, 0, 0] })
    for (const camera of ["1_2_3", "1e30_0_0_0_0_0", "5_5_5_5_5_5", "a_b_c_d_e_f", "NaN_1_1_1_1_1"])
      expect(read({ camera }), camera).toMatchObject({ camera: null })
  })

  it("truncates a long query to the limit of the search", () => {
    expect(read({ q: "word ".repeat(400) }).query).toHaveLength(512)
  })
})

describe("computeHighlighted", () => {
  const shown = (change: Partial<typeof state>) => [...computeHighlighted({ ...state, ...change })]

  it("combines search, recording and group, and always includes the open topic", () => {
    expect(shown({})).toEqual([1, 1, 1, 1, 1])
    expect(shown({ clip: 0 })).toEqual([1, 1, 1, 1, 0])
    expect(shown({ clip: 0, soloGroup: 0 })).toEqual([1, 0, 0, 0, 0])
    expect(shown({ hits: [2, 4], selected: 0 })).toEqual([1, 0, 1, 0, 1])
  })

  it("limits points to the span of the timeline", () => {
    const at = Date.parse("2026-03-01T12:00:00.000Z") / 1000
    expect(shown({ axis: "date", span: { from: at - 5, to: at + 5 } })).toEqual([1, 1, 1, 1, 0])
    expect(shown({ axis: "date", span: { from: at - 9, to: at - 5 } })).toEqual([0, 0, 0, 0, 0])
    expect(shown({ axis: "place", span: { from: 0.5, to: 9 }, clip: 1 })).toEqual([0, 0, 0, 0, 1])
  })

  it("writes group colors, with an alpha of 0 for dimmed points", () => {
    const bytes = new Uint8Array(20)
    writePointColors(model, { ...state, clip: 0 }, true, bytes)
    const at = (i: number) => [...bytes.subarray(i * 4, i * 4 + 4)]
    expect(at(1)).toEqual(at(2))
    expect(at(0).slice(0, 3)).not.toEqual(at(1).slice(0, 3))
    expect(at(4)).toEqual([...at(0).slice(0, 3), 0])
  })
})
