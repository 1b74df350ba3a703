import { describe, expect, it } from "vitest"
import { speakersOf } from "./speakers.ts"

const clip = (diarized: boolean | null, voices: number, ...names: string[]) => ({
  diarized,
  voices,
  speakers: Object.fromEntries(names.map((name, i) => [String(i), name])),
})

describe("who speaks in a recording", () => {
  it("is a count only where voices were told apart, by whomever", () => {
    expect([speakersOf(clip(true, 1)), speakersOf(clip(null, 2)), speakersOf(clip(true, 0))]).toEqual([
      "1 speaker",
      "2 speakers",
      "",
    ])
    expect(speakersOf(clip(false, 1))).toBe("")
    expect(speakersOf(clip(false, 2))).toBe("2 speakers")
  })
  it("is names as far as people gave them", () => {
    expect(speakersOf(clip(false, 1, "Ada"))).toBe("Ada")
    expect(speakersOf(clip(true, 5, "Ada", "Bo", "Cy", "Di"))).toBe("Ada, Bo, Cy and 2 more")
  })
})
