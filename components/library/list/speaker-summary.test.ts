import { describe, expect, it } from "vitest"
import { summarizeSpeakers } from "./speaker-summary.ts"

const clip = (diarized: boolean | null, voices: number, ...names: string[]) => ({
  diarized,
  voices,
  speakers: Object.fromEntries(names.map((name, i) => [String(i), name])),
})

describe("speaker summary", () => {
  it("counts speakers only if their number is known", () => {
    expect([
      summarizeSpeakers(clip(true, 1)),
      summarizeSpeakers(clip(null, 2)),
      summarizeSpeakers(clip(true, 0)),
    ]).toEqual(["1 speaker", "2 speakers", ""])
    expect(summarizeSpeakers(clip(false, 1))).toBe("")
    expect(summarizeSpeakers(clip(false, 2))).toBe("2 speakers")
  })
  it("lists up to three names and counts the others", () => {
    expect(summarizeSpeakers(clip(false, 1, "Ada"))).toBe("Ada")
    expect(summarizeSpeakers(clip(true, 5, "Ada", "Bo", "Cy", "Di"))).toBe("Ada, Bo, Cy and 2 more")
  })
})
