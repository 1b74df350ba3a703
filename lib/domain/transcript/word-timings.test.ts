import { describe, expect, it } from "vitest"
import { joinWords, restoreWords, toTimings } from "./word-timings.ts"

describe("restoreWords", () => {
  it("restores words of any length and speaker, also those that contain spaces", () => {
    const speakers = ["0", "0", "Ada Ng", "", "0"]
    const words = ["A", "New York", "über", "🐝s", "end."].map((word, i) => ({
      word,
      start: 3600.001 + i * 0.333,
      end: 3600.123 + i * 0.333,
      speaker: speakers[i]!,
    }))
    expect(joinWords(words)).toBe("A New York über 🐝s end.")
    expect(restoreWords(joinWords(words), JSON.parse(JSON.stringify(toTimings(words))))).toEqual(
      words.map((w) => ({ ...w, start: Number(w.start.toFixed(3)), end: Number(w.end.toFixed(3)) })),
    )
  })
  it("rounds each time to milliseconds, without accumulating errors", () => {
    const words = Array.from({ length: 300 }, (_, i) => ({ word: "a", start: i / 3, end: i / 3 + 0.2, speaker: "0" }))
    const restored = restoreWords(joinWords(words), toTimings(words))
    expect(Math.max(...restored.map(({ start }, i) => Math.abs(start - i / 3)))).toBeLessThan(0.00051)
  })
  it("returns no words without timings", () => {
    expect(restoreWords("", [])).toEqual([])
  })
})
