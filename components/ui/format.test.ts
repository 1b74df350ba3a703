import { describe, expect, it } from "vitest"
import {
  capitalize,
  formatBytes,
  formatClock,
  formatCount,
  formatPercent,
  formatTimeAgo,
  formatTimeLeft,
  parseClock,
} from "./format.ts"

describe("format", () => {
  it("formats seconds as hours, minutes and seconds", () => {
    expect([0, 7.9, 750, 3723, -3].map(formatClock)).toEqual(["0:00", "0:07", "12:30", "1:02:03", "0:00"])
  })

  it("parses times as people type them", () => {
    expect(["83", "1:23", "1:02:03", " 0:07.5 ", "7,5", "1:2:3:4", "", "soon", "-3"].map(parseClock)).toEqual([
      83,
      83,
      3723,
      7.5,
      7.5,
      null,
      null,
      null,
      null,
    ])
  })

  it("rounds remaining time coarsely", () => {
    expect([2, 31, 58, 190, 4200].map(formatTimeLeft)).toEqual([
      "a few seconds",
      "35 s",
      "1 min",
      "3 min",
      "1 h 10 min",
    ])
  })

  it("formats sizes, counts and percentages", () => {
    expect([999, 1200, 999_600, 5_400_000_000].map(formatBytes)).toEqual(["999 B", "1.2 kB", "1.0 MB", "5.4 GB"])
    expect([formatCount(1, "topic"), formatCount(2300, "topic")]).toEqual(["1 topic", "2,300 topics"])
    expect([formatPercent(0.424), formatPercent(7)]).toEqual(["42%", "100%"])
  })

  it("capitalizes a sentence but not a leading file name", () => {
    expect(
      ["no such file", "disabled. Set it.", "notes.wav: unreadable", "'a b': unreadable", ""].map(capitalize),
    ).toEqual(["No such file", "Disabled. Set it.", "notes.wav: unreadable", "'a b': unreadable", ""])
  })

  it("formats the age of a timestamp", () => {
    const now = Date.parse("2026-05-10T12:00:00Z")
    const at = (s: number) => formatTimeAgo(new Date(now - s * 1000).toISOString(), now)
    expect([at(5), at(400), at(7300), at(90_000)]).toEqual(["just now", "6 min ago", "2 h ago", "yesterday"])
    expect(at(864_000)).toBe("Apr 30")
  })
})
