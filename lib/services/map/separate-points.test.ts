import { describe, expect, it } from "vitest"
import { separateOverlappingPoints } from "./separate-points.ts"

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]!))

/** Rows at two ends of a line of length 20, so that the radius of the map is 10. */
const COORDS = Float32Array.of(-10, 0, 0, 10, 0, 0)
const separate = (...rowOf: number[]) => {
  const flat = separateOverlappingPoints(COORDS, Int32Array.from(rowOf))
  return rowOf.map((_, i) => Array.from(flat.subarray(3 * i, 3 * i + 3)))
}

describe("separateOverlappingPoints", () => {
  it("keeps the first point of a place and puts the others visibly aside", () => {
    const points = separate(0, 1, 0, 0, 0, 0, 0)
    expect(points[0]).toEqual([-10, 0, 0])
    expect(points[1]).toEqual([10, 0, 0])
    const same = points.filter((_, i) => i !== 1)
    for (const [i, point] of same.entries()) {
      // The distance is 0.004 of the radius and grows with the cube root of the number of points.
      expect(distance(point, same[0]!)).toBeCloseTo(0.04 * Math.cbrt(i), 4)
      for (const other of same.slice(0, i)) expect(distance(point, other)).toBeGreaterThan(0.02)
    }
  })

  it("moves no point when another is added", () => {
    expect(separate(0, 0, 1, 0).slice(0, 3)).toEqual(separate(0, 0, 1))
  })

  it("separates the points of a single place by 0.004, and accepts none", () => {
    const [a, b] = [0, 3].map((at) =>
      Array.from(separateOverlappingPoints(Float32Array.of(5, 5, 5), Int32Array.of(0, 0)).subarray(at, at + 3)),
    )
    expect(distance(a!, b!)).toBeCloseTo(0.004, 4)
    expect(separateOverlappingPoints(new Float32Array(0), new Int32Array(0))).toHaveLength(0)
  })
})
