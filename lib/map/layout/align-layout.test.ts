import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { alignLayout, nearestOrthogonal } from "./align-layout.ts"
import { randomFrom } from "./random.ts"

const randomLayout = (n: number, seed: number) => {
  const random = randomFrom(seed)
  return Float32Array.from({ length: 3 * n }, () => 10 * (random() - 0.5))
}

/** Rotates about an oblique axis, optionally mirrors, scales and shifts a layout. */
const transform = (coords: Float32Array, mirror: boolean, scale: number): Float32Array => {
  const out = new Float32Array(coords.length)
  const [c, s] = [Math.cos(2), Math.sin(2)]
  for (let i = 0; i < coords.length; i += 3) {
    const [x, y, z] = [coords[i]!, coords[i + 1]!, (mirror ? -1 : 1) * coords[i + 2]!]
    const [u, v] = [c * x - s * y, s * x + c * y]
    out[i] = scale * (c * u - s * z) + 3
    out[i + 1] = scale * v - 40
    out[i + 2] = scale * (s * u + c * z) + 7
  }
  return out
}

describe("alignLayout", () => {
  it("undoes any rotation, reflection, scale and shift", () => {
    const cases = fc.tuple(fc.integer({ min: 4, max: 40 }), fc.boolean(), fc.double({ min: 0.1, max: 8, noNaN: true }))
    fc.assert(
      fc.property(cases, fc.integer(), ([n, mirror, scale], seed) => {
        const old = randomLayout(n, seed)
        const aligned = alignLayout(transform(old, mirror, scale), { coords: old, known: new Uint8Array(n).fill(1) })
        for (let i = 0; i < old.length; i++) expect(Math.abs(aligned[i]! - old[i]!)).toBeLessThan(1e-3)
      }),
      { numRuns: 50 },
    )
  })

  it("aligns by the known rows and transforms the others in the same way", () => {
    const old = randomLayout(20, 4)
    const known = Uint8Array.from({ length: 20 }, (_, i) => (i < 12 ? 1 : 0))
    const previous = { coords: old.map((x, i) => (i < 36 ? x : 99)), known }
    const aligned = alignLayout(transform(old, true, 3), previous)
    for (let i = 0; i < old.length; i++) expect(aligned[i]).toBeCloseTo(old[i]!, 3)
  })

  it("returns the layout unchanged if it shares fewer than four rows with the old one", () => {
    const coords = randomLayout(5, 8)
    expect(alignLayout(coords, { coords: randomLayout(5, 9), known: Uint8Array.from([1, 1, 1, 0, 0]) })).toEqual(coords)
  })

  it("returns finite coordinates if either layout is flat, a line or a point", () => {
    const layoutOfRank = (rank: number) => randomLayout(9, 3).map((x, i) => (i % 3 < rank ? x : 0))
    for (const from of [0, 1, 2, 3])
      for (const to of [0, 1, 2, 3]) {
        const out = alignLayout(layoutOfRank(from), { coords: layoutOfRank(to), known: new Uint8Array(9).fill(1) })
        expect(out.every(Number.isFinite)).toBe(true)
      }
    for (const rank of [0, 1, 2]) {
      const { rotation } = nearestOrthogonal([0, 1, 2].map((a) => [0, 1, 2].map((b) => (a < rank && a === b ? 1 : 0))))
      for (const a of [0, 1, 2])
        for (const b of [0, 1, 2])
          expect(rotation[a]!.reduce((sum, x, i) => sum + x * rotation[b]![i]!, 0)).toBeCloseTo(a === b ? 1 : 0, 9)
    }
  })
})
