import { describe, expect, it } from "vitest"
import { BINS, buildTimelines, defaultAxis, formatAxisValue, overlapsSpan } from "./timeline.ts"

type Data = Parameters<typeof buildTimelines>[0]
const point = (clip_id: string, level: number, start_s: number, duration_s: number) =>
  ({ clip_id, level, start_s, duration_s }) as Data["points"][number]
const data: Data = {
  points: [point("a", 1, 0, 600), point("a", 2, 0, 300), point("a", 2, 300, 300), point("b", 2, 100, 50)],
  clip_dates: { a: "2026-01-01T00:00:00Z", b: "2026-03-01T00:00:00Z" },
}
const timelines = buildTimelines(data)

describe("timeline", () => {
  it("spans all points and counts topics per bin without whole recordings", () => {
    expect([timelines.place.from, timelines.place.to]).toEqual([0, 600])
    expect(timelines.place.bins).toHaveLength(BINS)
    expect(timelines.place.bins[1]).toBe(1)
    expect(timelines.place.bins[Math.floor((BINS * 120) / 600)]).toBe(2)
    expect(timelines.date.bins[0]).toBe(3)
    expect(timelines.date.bins[BINS - 1]).toBe(1)
  })

  it("includes points that overlap a span partly", () => {
    const included = (from: number, to: number) =>
      data.points.map((_, i) => overlapsSpan(timelines.place, { from, to }, i))
    expect(included(160, 200)).toEqual([true, true, false, false])
    expect(included(120, 310)).toEqual([true, true, true, true])
  })

  it("defaults to dates unless all recordings are from one day, and formats values for people", () => {
    const oneDay = { a: "2026-01-01T10:00:00Z", b: "2026-01-01T11:00:00Z" }
    expect(defaultAxis(timelines)).toBe("date")
    expect(defaultAxis(buildTimelines({ ...data, clip_dates: oneDay }))).toBe("place")
    expect(formatAxisValue("place", timelines.place, 125)).toBe("2:05")
    expect(formatAxisValue("date", timelines.date, Date.parse("2026-02-03T12:00:00Z") / 1000)).toBe("Feb 3, 2026")
  })

  it("handles a single topic and recordings without a date", () => {
    const one = buildTimelines({ points: [point("x", 1, 0, 60)], clip_dates: {} })
    expect([one.place.from, one.place.to, one.place.bins[0], one.date.bins[0]]).toEqual([0, 60, 1, 1])
  })
})
