import { describe, expect, it } from "vitest"
import { syntheticMap } from "../../../scripts/dev-viz/synthetic.ts"
import { getNeighbors, toModel } from "./model.ts"
import { listNearestTopics } from "./nearest-topics.ts"
import { listPath } from "./path.ts"

const model = toModel(syntheticMap({ points: 240, seed: 3, recordings: 0, regions: 4, spread: 1 }))
const topics = [...model.points.keys()].filter((i) => model.points[i]!.level > 1)

describe("listNearestTopics", () => {
  it("lists six other topics for every topic, linked ones first, and none of its own branch", () => {
    for (const index of topics) {
      const nearest = listNearestTopics(model, index)
      expect(new Set(nearest).size).toBe(6)
      const linked = getNeighbors(model, index).map((neighbor) => neighbor.index)
      expect(nearest.slice(0, linked.length)).toEqual(linked.slice(0, 6))
      const { clip_id, number } = model.points[index]!
      for (const other of nearest) {
        const point = model.points[other]!
        expect(point.clip_id === clip_id && (point.number.startsWith(number) || number.startsWith(point.number))).toBe(
          false,
        )
      }
    }
  })

  it("fills the list with the nearest topics of other recordings", () => {
    const withoutEdges = { ...model, edgeStarts: new Uint32Array(model.count + 1) }
    const index = topics[20]!
    const distanceTo = (other: number) =>
      Math.hypot(...[0, 1, 2].map((axis) => model.positions[3 * other + axis]! - model.positions[3 * index + axis]!))
    const nearest = listNearestTopics(withoutEdges, index).map(distanceTo)
    expect(nearest).toEqual([...nearest].sort((a, b) => a - b))
    const others = topics.filter((other) => model.points[other]!.clip_id !== model.points[index]!.clip_id)
    expect(nearest[0]).toBe(Math.min(...others.map(distanceTo)))
  })

  it("lists topics of the same recording if there is no other recording", () => {
    const single = toModel(syntheticMap({ points: 40, seed: 3, recordings: 1, regions: 2, spread: 1 }))
    expect(listNearestTopics(single, 5)).toHaveLength(6)
  })
})

describe("listPath", () => {
  it("returns the topics of a recording in the order of time, without subtopics", () => {
    const path = listPath(model, 2).map((i) => model.points[i]!)
    expect(path.length).toBeGreaterThan(3)
    expect(path.every((p) => p.clip_id === "clip-2" && p.level === 2)).toBe(true)
    expect(path.map((p) => p.start_s)).toEqual(path.map((p) => p.start_s).sort((a, b) => a - b))
  })
})
