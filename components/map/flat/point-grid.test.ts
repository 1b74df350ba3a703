import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LOOK } from "../scene/look.ts"
import { makeScreen, pick, pickAmong } from "../scene/projection.ts"
import { type PlaneView, projectPlane, scaleOf, toPlane } from "./plane-camera.ts"
import { buildPointGrid } from "./point-grid.ts"

const visited = (positions: Float32Array, x: number, y: number, reach: number): number[] => {
  const found: number[] = []
  buildPointGrid(positions).visitNear(x, y, reach, (i) => found.push(i))
  return found.sort((a, b) => a - b)
}
const coordinate = fc.float({ min: -30, max: 30, noNaN: true })
const points = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 200 })
  .map((list) => Float32Array.from(list.flatMap(([x, y]) => [x, y, 0])))

describe("buildPointGrid", () => {
  it("visits every point in reach, each once", () => {
    fc.assert(
      fc.property(points, coordinate, coordinate, fc.float({ min: 0, max: 20, noNaN: true }), (at, x, y, reach) => {
        const near = visited(at, x, y, reach)
        expect(new Set(near).size).toBe(near.length)
        for (let i = 0; i < at.length / 3; i++)
          if (Math.abs(at[3 * i]! - x) <= reach && Math.abs(at[3 * i + 1]! - y) <= reach) expect(near).toContain(i)
      }),
    )
  })

  it("visits few of many points", () => {
    const many = Float32Array.from({ length: 30_000 }, (_, k) => (k % 3 === 2 ? 0 : 20 * Math.sin(k * 12.9898)))
    expect(visited(many, 5, 5, 0.3).length).toBeLessThan(200)
  })

  it("holds a single point, equal points and none", () => {
    expect(visited(Float32Array.of(2, 3, 0), 2, 3, 0)).toEqual([0])
    expect(visited(Float32Array.of(1, 1, 0, 1, 1, 0), 1.1, 1, 0.2)).toEqual([0, 1])
    expect(visited(new Float32Array(), 0, 0, 5)).toEqual([])
  })
})

describe("picking with the grid", () => {
  it("finds the same point as a search of all points", () => {
    const view: PlaneView = { width: 800, height: 600, insets: { left: 0, right: 0, top: 0, bottom: 0 } }
    const pixel = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 600 }) })
    fc.assert(
      fc.property(
        points,
        pixel,
        fc.constantFrom(2, 12, 40, 90),
        fc.constantFrom(6, 22),
        (positions, at, distance, reach) => {
          const pose = { x: 1, y: -2, distance }
          const screen = makeScreen(positions.length / 3)
          projectPlane(positions, pose, view, screen)
          const radii = Float32Array.from(screen.x, (_, i) => 0.1 + (i % 5) / 10)
          const scale = scaleOf(pose, view)
          const options = { screen, radii, at, focal: scale * distance, reach, look: LOOK.point }
          const near: number[] = []
          const { x, y } = toPlane(pose, at, view)
          buildPointGrid(positions).visitNear(x, y, (LOOK.point.maxRadiusPx + reach) / scale, (i) => near.push(i))
          expect(pickAmong(near, options)).toBe(pick(options))
        },
      ),
      { numRuns: 300 },
    )
  })
})
