import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "./nearest-neighbors.ts"
import { updateNeighbors } from "./update-neighbors.ts"

const DIMS = 24
const N = 400
const { vectors: all } = syntheticVectors(N, DIMS, 5)

/** Returns the vectors of the given rows, in their order. */
const select = (rows: readonly number[]): Float32Array =>
  Float32Array.from(rows.flatMap((row) => [...all.subarray(row * DIMS, (row + 1) * DIMS)]))

const update = (before: readonly number[], now: readonly number[]) => {
  const graph = findNeighbors(select(before), before.length, DIMS)
  const rowOf = Int32Array.from(before, (row) => now.indexOf(row))
  return updateNeighbors({ vectors: select(now), n: now.length, dims: DIMS }, { graph, rowOf })
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

describe("updateNeighbors", () => {
  it.each([
    ["rows are added at the end", range(0, 380), range(0, N)],
    ["rows are added at the beginning", range(20, N), range(0, N)],
    ["a row is removed", range(0, N), range(0, N).filter((row) => row !== 7)],
    ["a row replaces another", range(0, 399), [...range(0, 7), 399, ...range(8, 399)]],
    ["nothing has changed", range(0, N), range(0, N)],
  ])("finds the same neighbors as a search of all rows if %s", (_, before, now) => {
    const expected = findNeighbors(select(now), now.length, DIMS)
    const graph = update(before, now)!
    expect(graph.indices).toEqual(expected.indices)
    graph.similarities.forEach((similarity, e) => {
      expect(similarity).toBeCloseTo(expected.similarities[e]!, 5)
    })
  })

  it("returns null if many rows are new or the graph has fewer neighbors", () => {
    expect(update(range(0, 300), range(0, N))).toBeNull()
    expect(update(range(0, 20), range(0, 21))).toBeNull()
  })
})
