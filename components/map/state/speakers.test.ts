import { describe, expect, it } from "vitest"
import { assignSpeakers } from "./speakers.ts"

const spokenBy = (clip: string, speaker: string | null, speaker_name: string | null = null) =>
  ({ clip_id: clip, clip_title: clip.toUpperCase(), speaker, speaker_name }) as Parameters<
    typeof assignSpeakers
  >[0][number]

describe("assignSpeakers", () => {
  it("merges named speakers across recordings and keeps unnamed speakers of different recordings separate", () => {
    const { ids, names, noSpeaker } = assignSpeakers([
      spokenBy("a", "0", "Ada"),
      spokenBy("a", "1"),
      spokenBy("b", "3", "Ada"),
      spokenBy("b", "1"),
      spokenBy("b", null),
    ])
    expect([...ids]).toEqual([0, 1, 0, 2, 3])
    expect(names).toEqual(["Ada", "Speaker 2 · A", "Speaker 2 · B", "No speaker"])
    expect(noSpeaker).toBe(3)
  })

  it("separates an unnamed speaker from a named one whose name equals its ID", () => {
    expect([...assignSpeakers([spokenBy("a", "x"), spokenBy("a", "y", "x")]).ids]).toEqual([0, 1])
  })
})
