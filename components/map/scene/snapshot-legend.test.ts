import { describe, expect, it } from "vitest"
import { placeLegendEntries } from "./snapshot-legend.ts"

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ text: `name ${i}`, rank: i, highlighted: true }))
const measure = (text: string) => text.length * 10

describe("placeLegendEntries", () => {
  it("wraps entries inside the image and omits those after the third line", () => {
    const { placed, height } = placeLegendEntries(entries(5), measure, 240)
    expect(placed.map((s) => [s.x, s.y])).toEqual([
      [14, 26],
      [109, 26],
      [14, 50],
      [109, 50],
      [14, 74],
    ])
    expect(height).toBe(28 + 3 * 24)
    expect(placed.every((s) => s.x + 15 + measure(s.text) <= 240 - 14)).toBe(true)
    const many = placeLegendEntries(entries(40), measure, 240)
    expect([many.placed.length, many.height]).toEqual([6, height])
  })

  it("has no height without entries", () => {
    expect(placeLegendEntries([], measure, 240)).toEqual({ placed: [], height: 0 })
  })

  it("gives a name that is wider than the image one line", () => {
    expect(placeLegendEntries(entries(1), () => 900, 240).height).toBe(28 + 24)
  })
})
