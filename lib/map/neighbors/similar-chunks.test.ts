import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "./nearest-neighbors.ts"
import { orderBySimilarity } from "./pair-filter.ts"
import { buildChunkFilter, CHUNK_ROWS, openSimilarChunks } from "./similar-chunks.ts"

const DIMS = 64
const N = 3007
const K = 24
const BLOCK = 8 * CHUNK_ROWS

const { vectors } = syntheticVectors(N, DIMS, 3)
const order = orderBySimilarity(vectors, N, DIMS)
const { indices } = findNeighbors(vectors, N, DIMS, K)
const pairs = Array.from(indices, (neighbor, e) => [Math.floor(e / K), neighbor] as const)

/** Returns the ranges to compare with each chunk before each block, as "chunk:row". */
const listCompared = (filter: ReturnType<typeof buildChunkFilter>): Set<string> => {
  const compared = new Set<string>()
  for (let from = 0; from < N; from += BLOCK) {
    const rangesOf = openSimilarChunks(filter, DIMS, { from, to: Math.min(from + BLOCK, N) })
    for (let chunk = 0; chunk < from / CHUNK_ROWS; chunk++)
      for (const range of rangesOf(chunk))
        for (let row = range.from; row < range.to; row++) compared.add(`${chunk}:${row}`)
  }
  return compared
}

describe("openSimilarChunks", () => {
  it("compares 99.9 % of the neighbors and a small part of all pairs", () => {
    const compared = listCompared(buildChunkFilter(vectors, DIMS, order, pairs))
    const place = new Int32Array(N)
    order.forEach((row, at) => {
      place[row] = at
    })
    let kept = 0
    let known = 0
    for (const [row, neighbor] of pairs) {
      const [low, high] = [Math.min(place[row]!, place[neighbor]!), Math.max(place[row]!, place[neighbor]!)]
      if (Math.floor(low / BLOCK) === Math.floor(high / BLOCK)) continue
      known++
      if (compared.has(`${Math.floor(low / CHUNK_ROWS)}:${high}`)) kept++
    }
    expect(known).toBeGreaterThan(1000)
    // All pairs together lack at most 0.1 %; those within a block are never lost.
    expect(known - kept).toBeLessThanOrEqual(0.001 * pairs.length + 1)
    expect(compared.size / ((N * N) / 2 / CHUNK_ROWS)).toBeLessThan(0.4)
  })

  it("compares everything if no neighbors are known", () => {
    const compared = listCompared(buildChunkFilter(vectors, DIMS, order, []))
    let all = 0
    for (let from = 0; from < N; from += BLOCK) all += (from / CHUNK_ROWS) * (Math.min(from + BLOCK, N) - from)
    expect(compared.size).toBe(all)
  })
})
