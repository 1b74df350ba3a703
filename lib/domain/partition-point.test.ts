import fc from "fast-check"
import { expect, it } from "vitest"
import { partitionPoint } from "./partition-point.ts"

it("finds the same index as a linear search", () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: -1, max: 10 }), (values, limit) => {
      const sorted = values.toSorted((a, b) => a - b)
      const expected = sorted.findIndex((v) => v >= limit)
      expect(partitionPoint(sorted.length, (i) => sorted[i]! < limit)).toBe(expected < 0 ? sorted.length : expected)
    }),
  ))
