import { expect, it } from "vitest"
import { legendSpots } from "./picture-legend.ts"

const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `name ${i}`, rank: i, lit: true }))
const wide = (text: string) => text.length * 10

it("puts a picture's key into lines that stay inside it, three at most", () => {
  const { spots, height } = legendSpots(entries(5), wide, 240)
  expect(spots.map((s) => [s.x, s.y])).toEqual([
    [14, 26],
    [109, 26],
    [14, 50],
    [109, 50],
    [14, 74],
  ])
  expect(height).toBe(28 + 3 * 24)
  expect(spots.every((s) => s.x + 15 + wide(s.text) <= 240 - 14)).toBe(true)
  const many = legendSpots(entries(40), wide, 240)
  expect([many.spots.length, many.height]).toEqual([6, height])
})

it("takes no room where there is nothing to say, and one line for a name wider than the picture", () => {
  expect(legendSpots([], wide, 240)).toEqual({ spots: [], height: 0 })
  expect(legendSpots(entries(1), () => 900, 240).height).toBe(28 + 24)
})
