import { describe, expect, it } from "vitest"
import { countLanes, listSpeechSpans } from "./speaker-lanes.ts"

const word = (speaker: string, start: number, end = start + 0.5) => ({ word: "w", speaker, start, end })
const speaker = (rank: number, duration_s: number) => ({ id: String(rank), name: `Speaker ${rank}`, rank, duration_s })

describe("listSpeechSpans", () => {
  it("joins close words of a speaker, also across an interjection", () => {
    const words = [word("0", 0), word("1", 0.6), word("0", 1), word("0", 5)]
    expect(listSpeechSpans(words, [speaker(0, 3), speaker(1, 1)])).toEqual([
      { lane: 0, rank: 0, start_s: 0, end_s: 1.5 },
      { lane: 1, rank: 1, start_s: 0.6, end_s: 1.1 },
      { lane: 0, rank: 0, start_s: 5, end_s: 5.5 },
    ])
  })

  it("gives the last lane to all who speak little", () => {
    const speakers = [0, 1, 2, 3, 4, 5, 6].map((rank) => speaker(rank, rank === 0 ? 0.1 : 10 - rank))
    const lanes = listSpeechSpans(
      speakers.map((s, i) => word(s.id, 10 * i)),
      speakers,
    ).map(({ lane }) => lane)
    expect(lanes).toEqual([4, 0, 1, 2, 3, 4, 4])
    expect(countLanes(speakers)).toBe(5)
  })

  it("is one lane without a color if the speakers are unknown", () => {
    expect(listSpeechSpans([word("0", 0), word("1", 1)], [])).toEqual([{ lane: 0, rank: null, start_s: 0, end_s: 1.5 }])
    expect(countLanes([])).toBe(1)
  })
})
