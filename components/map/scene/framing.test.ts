import { PerspectiveCamera, Vector3 } from "three"
import { describe, expect, it } from "vitest"
import type { VizData } from "#lib/domain/map.ts"
import { toModel } from "../state/model.ts"
import { frameView, pickFirstDirection, type Vector } from "./framing.ts"
import { makeScreen, project } from "./projection.ts"

const data = (places: [number, number, number][]): VizData => ({
  points: places.map(([x, y, z], i) => ({
    topic_title: `t${i}`,
    clip_id: i % 2 ? "b" : "a",
    clip_title: "",
    level: 2,
    start_s: 0,
    duration_s: 1,
    number: `1.${i}`,
    summary: "",
    x,
    y,
    z,
    speaker: null,
    speaker_name: null,
    cluster_id: 0,
    region_id: null,
  })),
  clip_ids: ["a", "b"],
  clip_titles: { a: "A", b: "B" },
  clip_dates: {},
  total_topics: places.length,
  total_clips: 2,
  edges: [],
  total_clusters: 1,
  distance_threshold: 0.35,
  regions: [],
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
})

const towards = new Vector3(0.5, 0.42, 1).normalize()
const direction: Vector = [towards.x, towards.y, towards.z]
const wide = Array.from({ length: 60 }, (_, i): [number, number, number] => [
  Math.sin(i) * 9,
  Math.cos(i * 2.3),
  Math.sin(i * 1.7) * 3,
])

describe("frameView", () => {
  it("keeps distant points of a small map inside the view", () => {
    const few = toModel(data([...wide.slice(0, 35), [60, 0, 0]]))
    const lens = { width: 1440, height: 900, insets: { left: 376, right: 64, top: 24, bottom: 24 } }
    const outlier = few.positions.subarray(35 * 3)
    const halfWidth = (1440 - 376 - 64) / 2
    const { center, distance } = frameView(
      few,
      { view: { to: "all", index: -1 }, coloring: "cluster" },
      direction,
      100,
      lens,
    )
    const right = new Vector3(0, 1, 0).cross(towards).normalize()
    const from = new Vector3().fromArray(outlier).sub(new Vector3(...center))
    const focal = 900 / (2 * Math.tan((42 * Math.PI) / 360))
    expect((Math.abs(from.dot(right)) * focal) / (distance - from.dot(towards))).toBeLessThan(halfWidth)
  })

  it.each([
    ["a wide window", { width: 1440, height: 900, insets: { left: 376, right: 392, top: 24, bottom: 24 } }],
    ["a phone", { width: 390, height: 844, insets: { left: 12, right: 12, top: 72, bottom: 64 } }],
  ])("fits the points between the insets of %s", (_, view) => {
    const model = toModel(data(wide))
    const { center, distance } = frameView(
      model,
      { view: { to: "all", index: -1 }, coloring: "cluster" },
      direction,
      100,
      { ...view },
    )
    const { left, right, top, bottom } = view.insets
    const camera = new PerspectiveCamera(42, view.width / view.height, 0.1, 1000)
    camera.position.set(...center).addScaledVector(towards, distance)
    camera.lookAt(...center)
    camera.setViewOffset(view.width, view.height, (right - left) / 2, (bottom - top) / 2, view.width, view.height)
    camera.updateMatrixWorld()
    const screen = makeScreen(model.count)
    const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse)
    project(model.positions, matrix.elements, view.width, view.height, screen)
    const [x0, x1] = [Math.min(...screen.x), Math.max(...screen.x)]
    expect(x0).toBeGreaterThan(left - 1)
    expect(x1).toBeLessThan(view.width - right + 1)
    expect(Math.min(...screen.y)).toBeGreaterThan(top)
    expect(Math.max(...screen.y)).toBeLessThan(view.height - bottom)
    expect((x1 - x0) / (view.width - left - right)).toBeGreaterThan(0.5)
  })

  it("picks the direction that fills a portrait view, and the default direction in a landscape view", () => {
    const model = toModel(data(wide))
    const lens = { width: 390, height: 844, insets: { left: 12, right: 12, top: 72, bottom: 64 } }
    const away = (from: Vector, lensOf = lens) =>
      frameView(model, { view: { to: "all", index: -1 }, coloring: "cluster" }, from, 100, lensOf).distance
    expect(away(pickFirstDirection(model, lens))).toBeLessThan(away(direction) * 0.8)
    expect(
      towards.distanceTo(new Vector3(...pickFirstDirection(model, { ...lens, width: 1440, height: 900 }))),
    ).toBeLessThan(1e-6)
  })

  it("flies to a topic without moving back, and frames a map of a single topic", () => {
    const lens = { width: 1000, height: 800, insets: { left: 0, right: 0, top: 0, bottom: 0 } }
    const model = toModel(data(wide))
    expect(
      frameView(model, { view: { to: "point", index: 3 }, coloring: "cluster" }, direction, 5, lens).distance,
    ).toBe(5)
    const one = frameView(
      toModel(data([[4, 4, 4]])),
      { view: { to: "all", index: -1 }, coloring: "cluster" },
      direction,
      5,
      lens,
    )
    expect(one.distance).toBeGreaterThan(1)
    expect(Math.hypot(...one.center)).toBe(0)
  })
})
