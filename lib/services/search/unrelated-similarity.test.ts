import { describe, expect, it } from "vitest"
import { estimateUnrelatedSimilarity } from "./unrelated-similarity.ts"

/** Returns values of a normal distribution at evenly spaced probabilities, by the approximation of Tocher (1963). */
const normal = (n: number, mean: number, deviation: number): number[] =>
  Array.from({ length: n }, (_, i) => {
    const p = (i + 0.5) / n
    return mean + (deviation * Math.log(p / (1 - p))) / 1.702
  })
const limitOf = (...values: number[]) => estimateUnrelatedSimilarity(Float64Array.from(values))

describe("estimateUnrelatedSimilarity", () => {
  it.each([
    ["a model with unrelated texts near 0", 0.05, 0.05],
    ["a model with unrelated texts near 0.8", 0.8, 0.02],
  ])("separates related texts from others for %s", (_, mean, deviation) => {
    const unrelated = normal(500, mean, deviation)
    const related = normal(40, mean + 6 * deviation, deviation)
    const limit = limitOf(...unrelated, ...related)
    expect(unrelated.filter((value) => value > limit).length).toBeLessThanOrEqual(10)
    expect(related.filter((value) => value > limit).length).toBeGreaterThan(35)
  })

  it("moves with the similarities, whatever their order", () => {
    const values = normal(200, 0.1, 0.05)
    const limit = limitOf(...values)
    expect(limitOf(...values.map((value) => value + 0.5).reverse())).toBeCloseTo(limit + 0.5, 10)
  })

  it("is no limit for few texts, and 0 for a question that has nothing in common with any", () => {
    expect(limitOf(0.9, 0.8, 0.7)).toBe(0)
    expect(limitOf(...normal(100, -0.5, 0.01))).toBe(0)
    expect(limitOf(...new Array<number>(50).fill(0))).toBe(0)
  })
})
