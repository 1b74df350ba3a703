import { describe, expect, it } from "vitest"
import { mergeSpeakersAcrossParts, type PartSpeaker } from "./merge-speakers.ts"

const voice = (part: number, print: number[] | null, ...turns: [number, number][]): PartSpeaker => ({
  part,
  embedding: print && Float32Array.from(print),
  turns: turns.map(([start, end]) => ({ start, end })),
})
const persons = (voices: PartSpeaker[], speakers?: number): number[] => {
  const names = new Map<number, number>()
  return mergeSpeakersAcrossParts(voices, speakers).map(({ speaker }) => {
    if (!names.has(speaker)) names.set(speaker, names.size)
    return names.get(speaker)!
  })
}

describe("joinVoices", () => {
  it("knows a voice again in another part of the recording", () => {
    const voices = [
      voice(0, [1, 0.1, 0], [0, 50]),
      voice(0, [0, 1, 0.1], [50, 100]),
      voice(1, [0.1, 1, 0], [100, 150]),
      voice(1, [1, 0, 0.1], [150, 200]),
    ]
    expect(persons(voices)).toEqual([0, 1, 1, 0])
  })

  it("keeps voices of one part apart, however alike they are, unless the number of people is known", () => {
    const voices = [voice(0, [1, 0], [0, 50]), voice(0, [1, 0.05], [50, 100])]
    expect(persons(voices)).toEqual([0, 1])
    expect(persons(voices, 1)).toEqual([0, 0])
  })

  it("gives a voice with less than 2 % of the speech to the one it is most like", () => {
    const voices = [voice(0, [1, 0], [0, 100]), voice(0, [0, 1], [100, 200]), voice(0, [0.1, 1], [200, 202])]
    expect(persons(voices)).toEqual([0, 1, 1])
  })

  it("joins the nearest until as many are left as people are known to speak", () => {
    const voices = [voice(0, [1, 0, 0], [0, 30]), voice(0, [0.8, 0.6, 0], [30, 60]), voice(0, [0, 0, 1], [60, 90])]
    expect(persons(voices)).toEqual([0, 1, 2])
    expect(persons(voices, 2)).toEqual([0, 0, 1])
  })

  it("has no turns for silence", () => {
    expect(mergeSpeakersAcrossParts([], undefined)).toEqual([])
  })
})
