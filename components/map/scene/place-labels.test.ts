import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Candidate, placeLabels } from "./place-labels.ts"

const view = { width: 800, height: 600, insets: { left: 20, right: 20, top: 20, bottom: 20 }, most: 14, widest: 256 }
const at = (places: [number, number, number][]) => ({
  screen: {
    x: Float32Array.from(places, (p) => p[0]),
    y: Float32Array.from(places, (p) => p[1]),
    depth: Float32Array.from(places, (p) => p[2]),
  },
  focal: 700,
})
const named = (...texts: string[]): Candidate[] => texts.map((text, index) => ({ index, level: 2, tier: 2, text }))
const sizes = new Float32Array(100).fill(0.3)

describe("placeLabels", () => {
  it("lets no two labels touch and keeps all inside the free part of the view", () => {
    const place = fc.tuple(fc.integer({ min: -50, max: 850 }), fc.integer({ min: -50, max: 650 }), fc.constant(20))
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.string({ minLength: 1, maxLength: 40 })), { maxLength: 60 }), (list) => {
        const labels = placeLabels(
          named(...list.map(([, text]) => text)),
          at(list.map(([p]) => p as [number, number, number])),
          sizes,
          view,
          new Set(),
        )
        const wide = (text: string) => Math.min(256, text.length * 7.1 + 4)
        for (const a of labels) {
          expect(a.x >= 20 && a.x + wide(a.text) <= 780 && a.y >= 20 && a.y + 20 <= 580).toBe(true)
          for (const b of labels)
            if (a !== b)
              expect(a.x + wide(a.text) < b.x || b.x + wide(b.text) < a.x || a.y + 20 < b.y || b.y + 20 < a.y).toBe(
                true,
              )
        }
        expect(labels.length).toBeLessThanOrEqual(14)
      }),
    )
  })

  it("leaves out what lies behind the eye, and says a name once", () => {
    const stage = at([
      [100, 100, -3],
      [100, 200, 20],
      [100, 400, 20],
    ])
    expect(placeLabels(named("behind", "bees", "bees"), stage, sizes, view, new Set()).map((l) => l.index)).toEqual([1])
  })

  it("keeps the label that stood there before when two want the same room", () => {
    const stage = at([
      [300, 300, 20],
      [302, 302, 20],
    ])
    const shown = (before: number[]) =>
      placeLabels(
        named("first topic of them", "second topic here"),
        stage,
        sizes,
        { ...view, most: 1 },
        new Set(before),
      )
    expect(shown([]).map((l) => l.index)).toEqual([0])
    expect(shown([1]).map((l) => l.index)).toEqual([1])
  })

  it("turns a label to the left where the right has no room", () => {
    const [label] = placeLabels(named("at the edge"), at([[760, 300, 20]]), sizes, view, new Set())
    expect(label!.x).toBeLessThan(760 - 70)
  })
})
