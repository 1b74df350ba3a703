import { describe, expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import { buildTermSpace, embedTerms, projectTerms } from "./term-space.ts"

const GARDEN = ["soil compost tomato", "tomato seedling watering", "watering soil garden", "garden compost seedling"]
const ROCKET = ["engine methane booster", "booster orbit launch", "launch engine payload", "payload methane orbit"]
const documents = [...GARDEN, ...ROCKET].map((text) => countTerms([text]))
const space = buildTermSpace(documents)

const cosine = (a: string, b: string): number => {
  const [x, y] = [a, b].map((text) => projectTerms(space, countTerms([text])))
  const dot = x!.reduce((sum, value, d) => sum + value * y![d]!, 0)
  return dot / (Math.hypot(...x!) * Math.hypot(...y!))
}

describe("buildTermSpace", () => {
  it("keeps the terms that occur in several documents, with their inverse document frequencies", () => {
    expect(space.hashes).toHaveLength(12)
    for (const weight of space.weights) expect(weight).toBeCloseTo(Math.log(9 / 2))
  })

  it("places texts about the same subject closer than others", () => {
    expect(cosine("soil and tomato", "tomato compost")).toBeGreaterThan(0.4)
    expect(Math.abs(cosine("soil and tomato", "orbit and launch"))).toBeLessThan(1e-5)
  })

  it("keeps distances if it has as many dimensions as documents need", () => {
    const [x, y] = [GARDEN[0]!, GARDEN[1]!].map((text) => projectTerms(space, countTerms([text])))
    expect(x!.reduce((sum, value, d) => sum + value * y![d]!, 0)).toBeCloseTo(1 / 3, 4)
    expect(Math.hypot(...x!)).toBeCloseTo(1, 4)
  })

  it("is deterministic, and empty without documents", () => {
    expect(buildTermSpace(documents)).toEqual(space)
    const empty = buildTermSpace([])
    expect([empty.dims, empty.hashes.length]).toEqual([0, 0])
  })
})

describe("projectTerms", () => {
  it("returns the zero vector for a text without known terms", () => {
    expect(Math.hypot(...projectTerms(space, countTerms(["violin concert"])))).toBe(0)
  })

  it("gives the same positions in a space that exists already", () => {
    const texts = [countTerms(["soil and tomato"])]
    const built = embedTerms({ space: null, documents, texts })
    expect(embedTerms({ space: built.space, documents: [], texts }).positions).toEqual(built.positions)
  })
})
