import fc from "fast-check"
import { expect, it } from "vitest"
import { partitionPoint } from "./partition-point.ts"

it("finds what a walk from the front would find", () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: -1, max: 10 }), (values, limit) => {
      const sorted = values.toSorted((a, b) => a - b)
      const walked = sorted.findIndex((v) => v >= limit)
      expect(partitionPoint(sorted.length, (i) => sorted[i]! < limit)).toBe(walked < 0 ? sorted.length : walked)
    }),
  ))
