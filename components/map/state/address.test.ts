import { describe, expect, it } from "vitest"
import type { VizData } from "#lib/domain/map.ts"
import { carriedOver, fromAddress, toAddress } from "./address.ts"
import { paint } from "./colors.ts"
import { toModel } from "./model.ts"
import { initial, lit, NONE } from "./store.ts"

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
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
}
const model = toModel(data)
const state = { ...initial, model }

describe("the address", () => {
  it("gives back the state that it was made of", () => {
    const some = { ...state, clip: 1, selected: 4, colouring: "clip" as const, allEdges: true, query: "bees & honey" }
    const query = toAddress(some)
    const { clip, selected, colouring, allEdges, query: q } = some
    expect(fromAddress(Object.fromEntries(new URLSearchParams(query)), model)).toMatchObject({
      clip,
      selected,
      colouring,
      allEdges,
      query: q,
      view: { to: "point", index: 4 },
    })
  })

  it("keeps the line of time and what is lit of it, and no span without a line", () => {
    const span = { from: 1_772_000_000, to: 1_772_900_000 }
    const kept = Object.fromEntries(new URLSearchParams(toAddress({ ...state, axis: "date", span })))
    expect(fromAddress(kept, model)).toMatchObject({ axis: "date", span })
    for (const wrong of [{ span: "3_9" }, { line: "year", span: "3_9" }])
      expect(fromAddress(wrong, model)).toMatchObject({ axis: null, span: null })
    expect(fromAddress({ line: "place", span: "9_3" }, model)).toMatchObject({ axis: "place", span: null })
  })

  it("means the same groups when a recording has gone, and so does the map that stays open", () => {
    const colouring = "clip" as const
    const before = { ...state, colouring, solo: 1, off: new Set([1]), chosen: [0, 4] }
    const points = data.points.slice(4)
    const fewer = toModel({ ...data, points, clip_ids: ["b&c"], total_topics: 1, total_clips: 1 })
    const kept = Object.fromEntries(new URLSearchParams(toAddress(before)))
    expect(fromAddress(kept, fewer)).toMatchObject({ solo: 0, off: new Set([0]), chosen: [0] })
    expect(carriedOver(fewer, before)).toEqual({ solo: 0, off: new Set([0]), chosen: [0] })
    expect(carriedOver(fewer, { ...before, solo: 0, off: new Set(), chosen: null })).toEqual({
      solo: NONE,
      off: new Set(),
      chosen: null,
    })
  })

  it("is empty for the state of the beginning, and takes no notice of what the map lacks", () => {
    expect(toAddress(state)).toBe("")
    expect(fromAddress({ clip: "gone", topic: "a~9.9", colour: "sound" }, model)).toMatchObject({
      clip: NONE,
      selected: NONE,
      colouring: "cluster",
      view: { to: "all" },
    })
  })
})

describe("an address that somebody wrote", () => {
  const read = (address: Parameters<typeof fromAddress>[0]) => fromAddress(address, model)

  it("greys nothing by groups that are not there", () => {
    expect(read({ solo: "gone~1", off: "b&c~1 gone~2 7" })).toMatchObject({ solo: NONE, off: new Set([0]) })
    expect(read({ colour: "level", solo: "1" })).toMatchObject({ solo: 1 })
  })

  it("sends the eye nowhere from where the map cannot be seen", () => {
    expect(read({ camera: "1_2_30_0_0_0" })).toMatchObject({ camera: [1, 2, 30, 0, 0, 0] })
    for (const camera of ["1_2_3", "1e30_0_0_0_0_0", "5_5_5_5_5_5", "a_b_c_d_e_f", "NaN_1_1_1_1_1"])
      expect(read({ camera }), camera).toMatchObject({ camera: null })
  })

  it("asks for no more than the search takes", () => {
    expect(read({ q: "word ".repeat(400) }).query).toHaveLength(512)
  })
})

describe("what is lit", () => {
  const shown = (change: Partial<typeof state>) => [...lit({ ...state, ...change }, new Uint8Array(5))]

  it("is what search, recording and group leave, and always the selected point", () => {
    expect(shown({})).toEqual([1, 1, 1, 1, 1])
    expect(shown({ clip: 0 })).toEqual([1, 1, 1, 1, 0])
    expect(shown({ clip: 0, solo: 0 })).toEqual([1, 0, 0, 0, 0])
    expect(shown({ hits: [2, 4], selected: 0 })).toEqual([1, 0, 1, 0, 1])
  })

  it("is what lies in a part of the line of time", () => {
    const at = Date.parse("2026-03-01T12:00:00.000Z") / 1000
    expect(shown({ axis: "date", span: { from: at - 5, to: at + 5 } })).toEqual([1, 1, 1, 1, 0])
    expect(shown({ axis: "date", span: { from: at - 9, to: at - 5 } })).toEqual([0, 0, 0, 0, 0])
    expect(shown({ axis: "place", span: { from: 0.5, to: 9 }, clip: 1 })).toEqual([0, 0, 0, 0, 1])
  })

  it("is painted in its group's colour; what is greyed keeps the colour and loses the light", () => {
    const bytes = new Uint8Array(20)
    paint(model, { ...state, clip: 0 }, true, bytes)
    const at = (i: number) => [...bytes.subarray(i * 4, i * 4 + 4)]
    expect(at(1)).toEqual(at(2))
    expect(at(0).slice(0, 3)).not.toEqual(at(1).slice(0, 3))
    expect(at(4)).toEqual([...at(0).slice(0, 3), 0])
  })
})
