import { describe, expect, it } from "vitest"
import { speakersOf } from "./speakers.ts"

const led = (clip: string, speaker: string | null, speaker_name: string | null = null) =>
  ({ clip_id: clip, clip_title: clip.toUpperCase(), speaker, speaker_name }) as Parameters<typeof speakersOf>[0][number]

describe("the voices of a map", () => {
  it("are one person in all recordings when people named them, and else somebody of one recording", () => {
    const { of, names, nobody } = speakersOf([
      led("a", "0", "Ada"),
      led("a", "1"),
      led("b", "3", "Ada"),
      led("b", "1"),
      led("b", null),
    ])
    expect([...of]).toEqual([0, 1, 0, 2, 3])
    expect(names).toEqual(["Ada", "Speaker 2 · A", "Speaker 2 · B", "Nobody speaks"])
    expect(nobody).toBe(3)
  })

  it("do not take a voice for a person who is called like it", () => {
    expect([...speakersOf([led("a", "x"), led("a", "y", "x")]).of]).toEqual([0, 1])
  })
})
