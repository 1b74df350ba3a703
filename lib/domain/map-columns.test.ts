import { describe, expect, it } from "vitest"
import { fromEdgeColumns, fromPointColumns, toEdgeColumns, toPointColumns } from "./map-columns.ts"

const clips = { clip_ids: ["a", "b"], clip_titles: { a: "Bees", b: "Boats" } }
const point = (clip_id: "a" | "b", [x, y, z]: [number, number, number]) => ({
  topic_title: "Honey",
  clip_id,
  clip_title: clips.clip_titles[clip_id],
  level: 2,
  start_s: 1.5,
  duration_s: 30,
  number: "1.2",
  summary: "About honey.",
  x,
  y,
  z,
  cluster_id: 3,
  region_id: clip_id === "a" ? 0 : null,
  speaker: "0",
  speaker_name: clip_id === "a" ? "Ada" : null,
})

describe("columns of the map", () => {
  it("give the same points again, with coordinates rounded to a step", () => {
    const points = [point("b", [14.58324, -2.55905, 0]), point("a", [0.00012, 3, -14.5])]
    const columns = toPointColumns(points, clips.clip_ids)
    expect(columns).toMatchObject({ clip: [1, 0], x: [4095, 0], region_id: [null, 0] })
    const again = fromPointColumns({ ...columns, cluster_id: [3, 3] }, clips)
    for (const [i, { x, y, z, ...rest }] of again.entries()) {
      const { x: x0, y: y0, z: z0, ...given } = points[i]!
      expect(rest).toEqual(given)
      expect(Math.max(Math.abs(x - x0), Math.abs(y - y0), Math.abs(z - z0))).toBeLessThanOrEqual(14.58324 / 4095 / 2)
    }
  })
  it("keep points apart that were separated", () => {
    const columns = toPointColumns([point("a", [10, 0, 0]), point("a", [10, 0.03, 0])], clips.clip_ids)
    expect(columns.y[1]! - columns.y[0]!).toBeGreaterThan(10)
  })
  it("can have only the origin, or nothing", () => {
    const origin = point("a", [0, 0, 0])
    expect(fromPointColumns({ ...toPointColumns([origin], ["a"]), cluster_id: [3] }, clips)).toEqual([origin])
    const none = { ...toPointColumns([], []), cluster_id: [] }
    expect(fromPointColumns(none, { clip_ids: [], clip_titles: {} })).toEqual([])
  })
  it("give the same edges again, with similarities in thousandths", () => {
    const edges = [
      { a: 0, b: 160, similarity: 0.930928 },
      { a: 0, b: 280, similarity: 0.5 },
      { a: 7, b: 8, similarity: 1 },
    ]
    expect(toEdgeColumns(edges)).toEqual({ a: [0, 0, 7], b: [160, 280, 1], similarity: [931, 500, 1000] })
    expect(fromEdgeColumns(toEdgeColumns(edges))).toEqual([{ ...edges[0], similarity: 0.931 }, edges[1], edges[2]])
  })
})
