import { describe, expect, it } from "vitest"
import { LOOK } from "../scene/look.ts"
import { type Candidate, placeLabels } from "../scene/place-labels.ts"
import { focalLengthPx, makeScreen, screenRadius } from "../scene/projection.ts"
import { type PlaneView, projectPlane } from "./plane-camera.ts"

const view: PlaneView = { width: 1200, height: 800, insets: { left: 20, right: 20, top: 20, bottom: 20 } }
/** A region around the point 0 with a part around 1, and topics. */
const positions = Float32Array.from([0, 0, 0, 1.5, 0, 0, 0.2, 0.6, 0, 1.6, -0.5, 0])
const candidates: Candidate[] = [
  { index: 0, level: -1, tier: 1.5, text: "Region", region: { id: 0, depth: 0, radius: 4 } },
  { index: 1, level: 0, tier: 1.6, text: "Part", region: { id: 0, depth: 1, radius: 1 } },
  { index: 2, level: 2, tier: 3, text: "First topic" },
  { index: 3, level: 2, tier: 3, text: "Second topic" },
]

const labelsAt = (distance: number): string[] => {
  const screen = makeScreen(4)
  projectPlane(positions, { x: 0.8, y: 0, distance }, view, screen)
  const focal = focalLengthPx(view.height)
  const radiusPx = () => screenRadius(0.1, distance, focal, LOOK.point)
  const options = { ...view, maxLabels: 20, look: LOOK, measure: (text: string) => 7 * text.length }
  return placeLabels(candidates, { screen, focal, radiusPx }, options, new Set()).map(({ text }) => text)
}

describe("labels of the flat map", () => {
  it("name regions from afar, then their parts, then topics", () => {
    expect(labelsAt(60)).toEqual(["Region"])
    expect(labelsAt(20)).toEqual(["Region", "Part"])
    expect(labelsAt(8).sort()).toEqual(["First topic", "Part", "Second topic"])
  })
})
