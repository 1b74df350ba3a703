import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { enclosed, inPolygon } from "./lasso.ts"

const square = [10, 10, 30, 10, 30, 30, 10, 30]

describe("the lasso", () => {
  it("holds what lies inside and nothing else, whichever way it was drawn", () => {
    const backwards = [10, 30, 30, 30, 30, 10, 10, 10]
    fc.assert(
      fc.property(fc.float({ min: 0, max: 40, noNaN: true }), fc.float({ min: 0, max: 40, noNaN: true }), (x, y) => {
        const inside = x > 10 && x < 30 && y > 10 && y < 30
        const border = [x, y].some((v) => v === 10 || v === 30)
        if (!border) for (const line of [square, backwards]) expect(inPolygon(line, x, y)).toBe(inside)
      }),
    )
  })

  it("leaves out the bay of a crescent", () => {
    const crescent = [0, 0, 40, 0, 40, 40, 0, 40, 0, 30, 30, 30, 30, 10, 0, 10]
    expect(inPolygon(crescent, 15, 20)).toBe(false)
    expect(inPolygon(crescent, 35, 20)).toBe(true)
  })

  it("takes lit points before the eye only", () => {
    const screen = {
      x: Float32Array.of(20, 20, 20, 50),
      y: Float32Array.of(20, 20, 20, 20),
      depth: Float32Array.of(5, -5, 5, 5),
    }
    expect(enclosed(square, screen, Uint8Array.of(1, 1, 0, 1))).toEqual([0])
    expect(enclosed([], screen, Uint8Array.of(1, 1, 1, 1))).toEqual([])
  })
})
