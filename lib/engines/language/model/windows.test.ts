import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergeBoundaries, splitIntoWindows, splitLongLines } from "./windows.ts"

describe("splitIntoWindows", () => {
  it("returns overlapping windows within the budget that contain every item in order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 })), fc.integer({ min: 30, max: 200 }), (costs, budget) => {
        const items = costs.map((cost, id) => ({ id, cost }))
        const windows = splitIntoWindows(items, (item) => item.cost, budget)
        const seen = new Set(windows.flat().map((item) => item.id))
        expect(seen.size).toBe(items.length)
        for (const [i, window] of windows.entries()) {
          expect(window.reduce((sum, item) => sum + item.cost, 0)).toBeLessThanOrEqual(budget)
          expect(window.map((item) => item.id)).toEqual(window.map((_, n) => window[0]!.id + n))
          const before = windows[i - 1]
          if (!before) continue
          expect(window[0]!.id).toBeGreaterThan(before[0]!.id)
          expect(window[0]!.id).toBeLessThanOrEqual(before.at(-1)!.id + 1)
          expect(window.at(-1)!.id).toBeGreaterThan(before.at(-1)!.id)
        }
      }),
    )
  })

  it("overlaps windows by a fifth", () => {
    const windows = splitIntoWindows([...Array(40).keys()], () => 1, 20)
    expect(windows.map((w) => [w[0], w.at(-1)])).toEqual([
      [0, 19],
      [16, 35],
      [32, 39],
    ])
  })

  it("gives an item that exceeds the budget its own window", () => {
    expect(splitIntoWindows([1, 50, 1], (n) => n, 10)).toEqual([[1], [50], [1]])
  })
})

describe("splitLongLines", () => {
  it("splits between words and keeps every word", () => {
    const words = Array.from({ length: 37 }, (_, i) => ({ word: `w${i}`, start: i, end: i + 1, speaker: "0" }))
    const lines = splitLongLines([{ block: 0, speaker: 1, words }], (line) => line.words.length, 5)
    expect(lines.flatMap((line) => line.words)).toEqual(words)
    expect(Math.max(...lines.map((line) => line.words.length))).toBeLessThanOrEqual(5)
  })
})

describe("mergeBoundaries", () => {
  const first = { from: 0, to: 100 }
  const second = { from: 80, to: 180 }
  const merge = (a: number[], b: number[]) =>
    mergeBoundaries(
      [
        { ...first, boundaries: a },
        { ...second, boundaries: b },
      ],
      5,
    )

  it("merges a boundary that both windows found", () => {
    expect(merge([40, 84], [85, 150])).toEqual([40, 84, 150])
    expect(merge([40, 97], [95, 150])).toEqual([40, 95, 150])
  })

  it("keeps a boundary that the windows place on different sides of the middle", () => {
    expect(merge([92], [88])).toEqual([88])
    expect(merge([88], [92])).toEqual([88])
  })

  it("uses each window for its half of the overlap", () => {
    expect(merge([85, 98], [])).toEqual([85])
    expect(merge([], [82, 93])).toEqual([93])
  })

  it("returns the boundaries of a single window unchanged", () => {
    expect(mergeBoundaries([{ ...first, boundaries: [10, 12] }], 5)).toEqual([10, 12])
  })
})
