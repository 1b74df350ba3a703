import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findPointsInPolygon, isInPolygon } from "./polygon.ts"

const square = [10, 10, 30, 10, 30, 30, 10, 30]

describe("isInPolygon", () => {
  it("accepts exactly the points inside a polygon drawn in either direction", () => {
    const reversed = [10, 30, 30, 30, 30, 10, 10, 10]
    fc.assert(
      fc.property(fc.float({ min: 0, max: 40, noNaN: true }), fc.float({ min: 0, max: 40, noNaN: true }), (x, y) => {
        const inside = x > 10 && x < 30 && y > 10 && y < 30
        const onEdge = [x, y].some((v) => v === 10 || v === 30)
        if (!onEdge) for (const polygon of [square, reversed]) expect(isInPolygon(polygon, x, y)).toBe(inside)
      }),
    )
  })

  it("rejects points in the notch of a concave polygon", () => {
    const concave = [0, 0, 40, 0, 40, 40, 0, 40, 0, 30, 30, 30, 30, 10, 0, 10]
    expect(isInPolygon(concave, 15, 20)).toBe(false)
    expect(isInPolygon(concave, 35, 20)).toBe(true)
  })
})

describe("findPointsInPolygon", () => {
  it("returns only included points in front of the camera", () => {
    const screen = {
      x: Float32Array.of(20, 20, 20, 50),
      y: Float32Array.of(20, 20, 20, 20),
      depth: Float32Array.of(5, -5, 5, 5),
    }
    expect(findPointsInPolygon(square, screen, Uint8Array.of(1, 1, 0, 1))).toEqual([0])
    expect(findPointsInPolygon([], screen, Uint8Array.of(1, 1, 1, 1))).toEqual([])
  })
})
