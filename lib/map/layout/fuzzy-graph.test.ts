import { describe, expect, it } from "vitest"
import { buildFuzzyGraph } from "./fuzzy-graph.ts"

const linksOf = ({ head, tail, weight }: ReturnType<typeof buildFuzzyGraph>) =>
  Array.from(head, (from, i) => [from, tail[i], weight[i]])
const close = (x: number) => expect.closeTo(x, 4)

describe("buildFuzzyGraph", () => {
  it("combines the memberships of both directions to a + b − ab", () => {
    const k = 2
    const indices = Int32Array.of(1, 2, 0, 2, 3, 1, 2, 0)
    const similarities = Float32Array.of(0.9, 0.5, 0.9, 0.5, 0.9, 0.5, 0.9, 0.5)
    // The nearest neighbor has membership 1, and both sum to log2(3).
    const second = Math.log2(3) - 1
    expect(linksOf(buildFuzzyGraph({ k, indices, similarities }, 4))).toEqual([
      [0, 1, close(1)],
      [0, 2, close(second)],
      [1, 2, close(second + second - second * second)],
      [2, 3, close(1)],
      [3, 0, close(second)],
    ])
  })

  it("gives rows at the same place full membership", () => {
    const graph = { k: 1, indices: Int32Array.of(1, 0), similarities: Float32Array.of(1, 1) }
    expect(linksOf(buildFuzzyGraph(graph, 2))).toEqual([[0, 1, 1]])
    expect(linksOf(buildFuzzyGraph({ ...graph, k: 0 }, 0))).toEqual([])
  })
})
