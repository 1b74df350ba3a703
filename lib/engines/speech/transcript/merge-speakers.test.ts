import { describe, expect, it } from "vitest"
import { mergeSpeakersAcrossParts, type PartSpeaker } from "./merge-speakers.ts"

const speaker = (part: number, embedding: number[] | null, ...turns: [number, number][]): PartSpeaker => ({
  part,
  embedding: embedding && Float32Array.from(embedding),
  turns: turns.map(([start, end]) => ({ start, end })),
})
const persons = (partSpeakers: PartSpeaker[], count?: number): number[] => {
  const names = new Map<number, number>()
  return mergeSpeakersAcrossParts(partSpeakers, count).map(({ speaker }) => {
    if (!names.has(speaker)) names.set(speaker, names.size)
    return names.get(speaker)!
  })
}

describe("mergeSpeakersAcrossParts", () => {
  it("recognizes a speaker in another part of the recording", () => {
    const speakers = [
      speaker(0, [1, 0.1, 0], [0, 50]),
      speaker(0, [0, 1, 0.1], [50, 100]),
      speaker(1, [0.1, 1, 0], [100, 150]),
      speaker(1, [1, 0, 0.1], [150, 200]),
    ]
    expect(persons(speakers)).toEqual([0, 1, 1, 0])
  })

  it("keeps the speakers of one part separate, however similar, unless the number of speakers is given", () => {
    const speakers = [speaker(0, [1, 0], [0, 50]), speaker(0, [1, 0.05], [50, 100])]
    expect(persons(speakers)).toEqual([0, 1])
    expect(persons(speakers, 1)).toEqual([0, 0])
  })

  it("merges a speaker with less than 2 % of the speech into the most similar one", () => {
    const speakers = [speaker(0, [1, 0], [0, 100]), speaker(0, [0, 1], [100, 200]), speaker(0, [0.1, 1], [200, 202])]
    expect(persons(speakers)).toEqual([0, 1, 1])
  })

  it("merges the nearest speakers until the given number is left", () => {
    const speakers = [
      speaker(0, [1, 0, 0], [0, 30]),
      speaker(0, [0.8, 0.6, 0], [30, 60]),
      speaker(0, [0, 0, 1], [60, 90]),
    ]
    expect(persons(speakers)).toEqual([0, 1, 2])
    expect(persons(speakers, 2)).toEqual([0, 0, 1])
  })

  it("returns no turns without speakers", () => {
    expect(mergeSpeakersAcrossParts([], undefined)).toEqual([])
  })
})
