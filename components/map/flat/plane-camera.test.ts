import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeScreen } from "../scene/projection.ts"
import {
  centerOf,
  clampPose,
  fromCamera,
  type PlanePose,
  type PlaneView,
  panBy,
  projectPlane,
  stepTowards,
  toCamera,
  toPlane,
  zoomAt,
} from "./plane-camera.ts"

const view: PlaneView = { width: 1440, height: 900, insets: { left: 376, right: 64, top: 24, bottom: 60 } }
const screenOf = (pose: PlanePose, x: number, y: number) => {
  const screen = makeScreen(1)
  projectPlane(Float32Array.of(x, y, 0), pose, view, screen)
  return { x: screen.x[0]!, y: screen.y[0]! }
}
const place = fc.record({
  x: fc.double({ min: -9, max: 9, noNaN: true }),
  y: fc.double({ min: -9, max: 9, noNaN: true }),
})
const pose = fc.record({
  x: fc.double({ min: -9, max: 9, noNaN: true }),
  y: fc.double({ min: -9, max: 9, noNaN: true }),
  distance: fc.double({ min: 4, max: 60, noNaN: true }),
})
const pixel = fc.record({ x: fc.integer({ min: 0, max: 1440 }), y: fc.integer({ min: 0, max: 900 }) })

describe("the camera over the plane", () => {
  it("shows the place below it in the middle between the panels, with y upwards", () => {
    expect(screenOf({ x: 3, y: -2, distance: 30 }, 3, -2)).toEqual(centerOf(view))
    expect(centerOf(view)).toEqual({ x: (376 + 1440 - 64) / 2, y: (24 + 900 - 60) / 2 })
    const { x, y } = screenOf({ x: 0, y: 0, distance: 30 }, 1, 1)
    expect(x).toBeGreaterThan(centerOf(view).x)
    expect(y).toBeLessThan(centerOf(view).y)
  })

  it("projects like the camera in space that the URL keeps", () => {
    // At a distance of d, the height of the view shows 2 · d · tan(21°) units.
    const units = 2 * 30 * Math.tan((21 * Math.PI) / 180)
    const { y: top } = screenOf({ x: 0, y: 0, distance: 30 }, 0, units / 2)
    const { y: bottom } = screenOf({ x: 0, y: 0, distance: 30 }, 0, -units / 2)
    expect(bottom - top).toBeCloseTo(900, 2)
  })

  it("finds the place in the plane that a pixel shows", () => {
    fc.assert(
      fc.property(pose, pixel, (from, at) => {
        const { x, y } = toPlane(from, at, view)
        const back = screenOf(from, x, y)
        expect(back.x).toBeCloseTo(at.x, 1)
        expect(back.y).toBeCloseTo(at.y, 1)
      }),
    )
  })

  it("moves the map with the pointer", () => {
    const from = { x: 1, y: 2, distance: 20 }
    const before = screenOf(from, 4, 5)
    const after = screenOf(panBy(from, 30, -12, view), 4, 5)
    expect(after.x - before.x).toBeCloseTo(30, 2)
    expect(after.y - before.y).toBeCloseTo(-12, 2)
  })

  it("zooms towards the pointer: the place below it stays there, also on the way", () => {
    fc.assert(
      fc.property(pose, pixel, fc.double({ min: 0.5, max: 2, noNaN: true }), (from, at, factor) => {
        const anchor = toPlane(from, at, view)
        const to = zoomAt(from, factor, anchor, at, view)
        // Beyond its limits the camera stops.
        fc.pre(to.x === clampPose(to).x && Math.abs(to.x) < 40 && Math.abs(to.y) < 40)
        expect(to.distance).toBeCloseTo(from.distance * factor, 6)
        for (const on of [stepTowards(from, to, 0.05), to]) {
          const { x, y } = screenOf(on, anchor.x, anchor.y)
          expect(Math.hypot(x - at.x, y - at.y)).toBeLessThan(0.1)
        }
      }),
    )
  })

  it("arrives at its destination within a second and a half, whatever the frame rate, and never passes it", () => {
    fc.assert(
      fc.property(pose, pose, fc.constantFrom(1 / 144, 1 / 60, 1 / 15), (from, to, seconds) => {
        let at = from
        let left = Infinity
        for (let t = 0; t < 1.5 && at !== to; t += seconds) {
          at = stepTowards(at, to, seconds)
          const now = Math.hypot(at.x - to.x, at.y - to.y, at.distance - to.distance)
          expect(now).toBeLessThanOrEqual(left)
          left = now
        }
        expect(at).toBe(to)
      }),
    )
  })

  it("keeps the camera where the map can be seen", () => {
    expect(clampPose({ x: 1e6, y: -1e6, distance: 0 })).toEqual({ x: 40, y: -40, distance: 1.5 })
    const far = panBy({ x: 0, y: 0, distance: 140 }, -1e6, 0, view)
    expect(far.x).toBe(40)
    expect(zoomAt(far, 100, { x: 0, y: 0 }, { x: 0, y: 0 }, view).distance).toBe(140)
  })

  it("understands the camera of a link from the 3-D scene, and writes one that the scene understands", () => {
    expect(fromCamera([3, 4, 12, 0, 0, 0])).toEqual({ x: 0, y: 0, distance: 13 })
    fc.assert(
      fc.property(place, ({ x, y }) => {
        const back = fromCamera(toCamera({ x, y, distance: 20 }))
        expect(back.x).toBeCloseTo(x, 1)
        expect(back.y).toBeCloseTo(y, 1)
        expect(back.distance).toBe(20)
      }),
    )
  })
})
