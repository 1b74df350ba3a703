import { describe, expect, it } from "vitest"
import { BINS, inSpan, linesOf, usualAxis, wordsFor } from "./timeline.ts"

type Data = Parameters<typeof linesOf>[0]
const point = (clip_id: string, level: number, start_s: number, duration_s: number) =>
  ({ clip_id, level, start_s, duration_s }) as Data["points"][number]
const data: Data = {
  points: [point("a", 1, 0, 600), point("a", 2, 0, 300), point("a", 2, 300, 300), point("b", 2, 100, 50)],
  clip_dates: { a: "2026-01-01T00:00:00Z", b: "2026-03-01T00:00:00Z" },
}
const lines = linesOf(data)

describe("the line of time", () => {
  it("reaches from the first to the last, and counts topics where they lie but no whole recordings", () => {
    expect([lines.place.from, lines.place.to]).toEqual([0, 600])
    expect(lines.place.bins).toHaveLength(BINS)
    expect(lines.place.bins[1]).toBe(1)
    expect(lines.place.bins[Math.floor((BINS * 120) / 600)]).toBe(2)
    expect(lines.date.bins[0]).toBe(3)
    expect(lines.date.bins[BINS - 1]).toBe(1)
  })

  it("lights what lies in a span with any part", () => {
    const lit = (from: number, to: number) => data.points.map((_, i) => inSpan(lines.place, { from, to }, i))
    expect(lit(160, 200)).toEqual([true, true, false, false])
    expect(lit(120, 310)).toEqual([true, true, true, true])
  })

  it("measures by dates where they tell recordings apart, and says them as people do", () => {
    expect(usualAxis(lines)).toBe("date")
    expect(usualAxis(linesOf({ ...data, clip_dates: { a: "2026-01-01T10:00:00Z", b: "2026-01-01T11:00:00Z" } }))).toBe(
      "place",
    )
    expect(wordsFor("place", lines.place, 125)).toBe("2:05")
    expect(wordsFor("date", lines.date, Date.parse("2026-02-03T12:00:00Z") / 1000)).toBe("Feb 3, 2026")
  })

  it("stands for a single topic, and for recordings without a date", () => {
    const one = linesOf({ points: [point("x", 1, 0, 60)], clip_dates: {} })
    expect([one.place.from, one.place.to, one.place.bins[0], one.date.bins[0]]).toEqual([0, 60, 1, 1])
  })
})
