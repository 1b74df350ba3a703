import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openDotRows, openDotTiles, PANEL } from "./dot-products.ts"
import { openPairProducts, RECORD } from "./pair-products.ts"

const vector = (length: number) =>
  fc.float32Array({ minLength: length, maxLength: length, min: -1, max: 1, noNaN: true })

describe("product kernels", () => {
  it("computes dot products for any number of dimensions, rows and queries", () => {
    const shape = fc.tuple(
      fc.integer({ min: 1, max: 37 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 7 }),
    )
    const cases = shape.chain(([dims, queries, rows]) =>
      fc.tuple(fc.constant([dims, queries, rows] as const), vector(dims * queries), vector(dims * rows)),
    )
    fc.assert(
      fc.property(cases, ([[dims, queries, rows], a, b]) => {
        const tiles = openDotTiles(dims, queries, 8)
        for (let q = 0; q < queries; q++) tiles.setQuery(q, a, q * dims)
        for (let r = 0; r < rows; r++) tiles.setRow(r, b, r * dims)
        for (let q = 0; q < queries; q++) {
          const out = tiles.run(Math.floor(q / PANEL), rows)
          for (let r = 0; r < rows; r++) {
            let sum = 0
            for (let d = 0; d < dims; d++) sum += a[q * dims + d]! * b[r * dims + d]!
            expect(out[PANEL * r + (q % PANEL)]).toBeCloseTo(sum, 4)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it("gives bit-identical products when query and row are swapped", () => {
    const dims = 100
    const a = Float32Array.from({ length: dims }, (_, i) => Math.sin(i))
    const b = Float32Array.from({ length: dims }, (_, i) => Math.cos(7 * i))
    const one = (query: Float32Array, row: Float32Array) => {
      const tiles = openDotTiles(dims, 1)
      tiles.setQuery(0, query, 0)
      tiles.setRow(0, row, 0)
      return tiles.run(0, 1)[0]
    }
    expect(one(a, b)).toBe(one(b, a))
  })

  it("computes the same products for numbered rows, and nearly the same as int16", () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 37 }), fc.integer({ min: 1, max: 9 }))
    const cases = shape.chain(([dims, rows]) => fc.tuple(fc.constant([dims, rows] as const), vector(dims * rows)))
    fc.assert(
      fc.property(cases, ([[dims, rows], given]) => {
        const a = given.slice()
        for (let r = 0; r < rows; r++) {
          const length = Math.hypot(...a.subarray(r * dims, (r + 1) * dims)) || 1
          for (let d = r * dims; d < (r + 1) * dims; d++) a[d]! /= length
        }
        const numbered = openDotRows(a, rows, dims, rows)
        const pairs = openPairProducts(a, rows, dims)
        const panels = openDotRows(a, rows, dims, rows, rows)
        for (let i = 0; i < rows; i++) panels.setQuery(i, i)
        for (let i = 0; i < rows; i++) {
          numbered.others.set(Array.from({ length: rows }, (_, j) => j))
          const all = numbered.run(i, rows)
          for (let j = 0; j < rows; j++) {
            let sum = 0
            for (let d = 0; d < dims; d++) sum += a[i * dims + d]! * a[j * dims + d]!
            expect(all[j]).toBeCloseTo(sum, 4)
            panels.others.set([j])
            expect(panels.runPanel(Math.floor(i / PANEL), 1)[i % PANEL]).toBeCloseTo(sum, 4)
            const block = j - (j % 8)
            expect(pairs.run(Math.floor(i / PANEL), block, Math.min(block + 8, rows))).toBe(1)
            expect(pairs.recordWords[0]).toBe(block)
            const product = pairs.records[4 + 16 * ((j - block) >> 2) + 4 * (i % PANEL) + (j & 3)]!
            expect(Math.abs(product / 32767 ** 2 - sum)).toBeLessThan(1e-3)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it("reports only records with a product that reaches a threshold", () => {
    const [rows, dims] = [40, 6]
    const vectors = new Float32Array(rows * dims).map((_, i) => (i % dims === Math.floor(i / dims) % 5 ? 1 : 0))
    const pairs = openPairProducts(vectors, rows, dims)
    pairs.thresholds.fill(2 ** 30, 0, rows)
    expect(pairs.run(0, 0, rows)).toBe(0)
    // Row 17 equals row 2, which is in panel 0.
    pairs.thresholds[17] = 32767 ** 2 - 64
    expect(pairs.run(0, 0, rows)).toBe(1)
    expect(pairs.recordWords[0]).toBe(16)
    expect([...pairs.records.subarray(4, RECORD)].filter((x) => x > 0)).toHaveLength(7)
    expect(pairs.run(1, 24, rows)).toBe(0)
  })
})
