import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { buildProfiles, rankPeople, recognizeSpeakers, toUnitLength } from "./recognize.ts"

const person = (id: string) => ({ id, name: id.toUpperCase() })
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
const thresholds = { apply: 0.8, suggest: 0.5, margin: 0.1, minSeconds: 5 }
const nobody = () => false
const speaker = (id: string, degrees: number, seconds = 10) => ({ speaker: id, vector: at(degrees), seconds })

describe("profiles", () => {
  it("are the mean of the embeddings of a person, weighted by up to a minute of speech", () => {
    const [ada] = buildProfiles([
      { person: person("a"), vector: at(0), seconds: 60 },
      { person: person("a"), vector: at(90), seconds: 600 },
    ])
    expect([...ada!.vector]).toEqual([...at(45)].map((x) => expect.closeTo(x, 6)))
    expect(rankPeople(at(45), [ada!])[0]!.score).toBeCloseTo(1, 6)
    expect(rankPeople(Float32Array.of(1), [ada!])).toEqual([])
    expect(toUnitLength(Float32Array.of(0, 0))).toEqual(Float32Array.of(0, 0))
  })
})

describe("recognizeSpeakers", () => {
  const profiles = buildProfiles([
    { person: person("a"), vector: at(0), seconds: 9 },
    { person: person("b"), vector: at(60), seconds: 9 },
  ])
  const names = (
    speakers: ReturnType<typeof speaker>[],
    isExcluded: Parameters<typeof recognizeSpeakers>[3] = nobody,
  ) => recognizeSpeakers(speakers, profiles, thresholds, isExcluded).map((r) => `${r.speaker}=${r.person.id}`)

  it("names speakers who are similar enough to one person, and clearly less so to the next", () => {
    expect(names([speaker("0", 10), speaker("1", 70)]).sort()).toEqual(["0=a", "1=b"])
    expect(names([speaker("0", -37)])).toEqual([])
    expect(names([speaker("0", 29)])).toEqual([])
    expect(recognizeSpeakers([speaker("0", 29)], profiles.slice(0, 1), thresholds, nobody)).toHaveLength(1)
  })
  it("gives a person to the most similar speaker only, and to none that is excluded or speaks briefly", () => {
    expect(names([speaker("0", 10), speaker("1", 5)])).toEqual(["1=a"])
    expect(names([speaker("0", 0)], (_, id) => id === "a")).toEqual([])
    expect(names([speaker("0", 0, 4.9)])).toEqual([])
  })
  it("never gives one person to two speakers, whatever the embeddings are", () => {
    const speakers = fc.array(fc.tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 0, max: 20 })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(speakers, (given) => {
        const found = recognizeSpeakers(
          given.map(([degrees, seconds], i) => speaker(String(i), degrees, seconds)),
          profiles,
          thresholds,
          nobody,
        )
        expect(new Set(found.map((r) => r.person.id)).size).toBe(found.length)
        for (const { score } of found) expect(score).toBeGreaterThanOrEqual(thresholds.apply)
      }),
    )
  })
})
