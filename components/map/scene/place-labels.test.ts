import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LOOK } from "./look.ts"
import { type Candidate, placeLabels } from "./place-labels.ts"
import { screenRadius } from "./projection.ts"

const measure = (text: string) => text.length * 7
const view = {
  width: 800,
  height: 600,
  insets: { left: 20, right: 20, top: 20, bottom: 20 },
  maxLabels: 14,
  look: LOOK,
  measure,
}
/** Points at [x, y, depth]. */
const displayedAt = (points: [number, number, number][]) => ({
  screen: {
    x: Float32Array.from(points, (p) => p[0]),
    y: Float32Array.from(points, (p) => p[1]),
    depth: Float32Array.from(points, (p) => p[2]),
  },
  focal: 700,
  radiusPx: (index: number) => screenRadius(0.3, points[index]![2], 700, LOOK.point),
})
const topics = (...texts: string[]): Candidate[] => texts.map((text, index) => ({ index, level: 2, tier: 2, text }))

describe("placeLabels", () => {
  it("keeps labels apart from each other and inside the insets", () => {
    const point = fc.tuple(fc.integer({ min: -50, max: 850 }), fc.integer({ min: -50, max: 650 }), fc.constant(20))
    fc.assert(
      fc.property(fc.array(fc.tuple(point, fc.string({ minLength: 1, maxLength: 40 })), { maxLength: 60 }), (list) => {
        const labels = placeLabels(
          topics(...list.map(([, text]) => text)),
          displayedAt(list.map(([p]) => p as [number, number, number])),
          view,
          new Set(),
        )
        const width = measure
        for (const a of labels) {
          expect(a.x >= 20 && a.x + width(a.text) <= 780 && a.y >= 20 && a.y + 20 <= 580).toBe(true)
          for (const b of labels)
            if (a !== b)
              expect(a.x + width(a.text) < b.x || b.x + width(b.text) < a.x || a.y + 20 < b.y || b.y + 20 < a.y).toBe(
                true,
              )
        }
        expect(labels.length).toBeLessThanOrEqual(14)
      }),
    )
  })

  it("skips points behind the camera and repeated texts", () => {
    const displayed = displayedAt([
      [100, 100, -3],
      [100, 200, 20],
      [100, 400, 20],
    ])
    expect(placeLabels(topics("behind", "bees", "bees"), displayed, view, new Set()).map((l) => l.index)).toEqual([1])
  })

  it("prefers the label that was shown before if two compete for the same space", () => {
    const displayed = displayedAt([
      [300, 300, 20],
      [302, 302, 20],
    ])
    const shown = (before: number[]) =>
      placeLabels(
        topics("first topic of them", "second topic here"),
        displayed,
        { ...view, maxLabels: 1 },
        new Set(before),
      )
    expect(shown([]).map((l) => l.index)).toEqual([0])
    expect(shown([1]).map((l) => l.index)).toEqual([1])
  })

  it("places a label to the left of its point if there is no space to the right", () => {
    const [label] = placeLabels(topics("at the edge"), displayedAt([[760, 300, 20]]), view, new Set())
    expect(label!.x).toBeLessThan(760 - 70)
  })

  it("uses the measured width of a text", () => {
    const place = (charWidth: number) => {
      const measure = (text: string) => text.length * charWidth
      return placeLabels(topics("abcdef"), displayedAt([[700, 300, 20]]), { ...view, measure }, new Set())[0]!.x
    }
    expect(place(7)).toBeGreaterThan(700)
    expect(place(30)).toBeLessThan(700)
  })

  it("names an area over its center and skips topics with a long title", () => {
    const displayed = displayedAt([
      [400, 300, 20],
      [400, 500, 20],
    ])
    const area = { index: 0, level: -1, tier: 1.5, text: "schools", region: { id: 0, depth: 0, radius: 1 } }
    const long = { index: 1, level: 2, tier: 3, text: "a title that is too long for a label of a topic" }
    const [label, ...others] = placeLabels([area, long], displayed, view, new Set())
    expect([label!.x, label!.region]).toEqual([400 - measure("schools") / 2, 0])
    expect(others).toEqual([])
  })

  it("names parts of a region as soon as they are large enough on the screen, and the region until it fills the view", () => {
    const texts = (focal: number) => {
      const displayed = displayedAt([
        [400, 300, 20],
        [400, 200, 20],
        [400, 400, 20],
      ])
      const candidates = [2, 0.9, 0.4].map((radius, depth) => ({
        index: depth,
        level: depth - 1,
        tier: 1.5 + depth / 10,
        text: ["region", "part", "topic"][depth]!,
        region: { id: 0, depth, radius },
      }))
      return placeLabels(candidates, { ...displayed, focal }, view, new Set()).map(({ text }) => text)
    }
    expect(texts(300)).toEqual(["region"])
    expect(texts(1200)).toEqual(["region", "part"])
    expect(texts(2000)).toEqual(["region", "part", "topic"])
    expect(texts(6000)).toEqual(["part", "topic"])
  })
})
