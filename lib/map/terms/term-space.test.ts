import { describe, expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import { buildTermSpace, embedTerms, projectTerms } from "./term-space.ts"

const GARDEN = ["soil compost tomato", "tomato seedling watering", "watering soil garden", "garden compost seedling"]
const ROCKET = ["engine methane booster", "booster orbit launch", "launch engine payload", "payload methane orbit"]
/** Every text occurs three times, so that there are enough documents to ignore rare terms. */
const documents = [...GARDEN, ...ROCKET, ...GARDEN, ...ROCKET, ...GARDEN, ...ROCKET].map((text, i) =>
  countTerms([text, `rare${i}`]),
)
const WORD_WEIGHT = Math.log(25 / 6)
const PAIR_WEIGHT = Math.log(25 / 3)
const space = buildTermSpace(documents)

const cosine = (a: string, b: string): number => {
  const [x, y] = [a, b].map((text) => projectTerms(space, countTerms([text])))
  const dot = x!.reduce((sum, value, d) => sum + value * y![d]!, 0)
  return dot / (Math.hypot(...x!) * Math.hypot(...y!))
}

describe("buildTermSpace", () => {
  it("keeps the terms that occur in several documents, with their inverse document frequencies", () => {
    // Twelve words, each in two of eight texts, and sixteen pairs, each in one of them.
    expect(space.hashes).toHaveLength(12 + 16)
    const weights = [...space.weights].sort((a, b) => a - b)
    expect(weights[11]).toBeCloseTo(WORD_WEIGHT)
    expect(weights[12]).toBeCloseTo(PAIR_WEIGHT)
  })

  it("places texts about the same subject closer than others", () => {
    expect(cosine("soil and tomato", "tomato compost")).toBeGreaterThan(0.4)
    expect(Math.abs(cosine("soil and tomato", "orbit and launch"))).toBeLessThan(1e-5)
  })

  it("keeps distances if it has as many dimensions as documents need", () => {
    const [x, y] = [GARDEN[0]!, GARDEN[1]!].map((text) => projectTerms(space, countTerms([text])))
    expect(x!.reduce((sum, value, d) => sum + value * y![d]!, 0)).toBeCloseTo(
      // They share one of three words, and none of two pairs.
      WORD_WEIGHT ** 2 / (3 * WORD_WEIGHT ** 2 + 2 * PAIR_WEIGHT ** 2),
      4,
    )
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
