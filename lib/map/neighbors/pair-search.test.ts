import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { multiplyTransposed } from "../matrix.ts"
import { allocateGraph, rankCandidates } from "./nearest-neighbors.ts"
import { buildExactFilter } from "./pair-filter.ts"
import { createPairSearch, searchPairs } from "./pair-search.ts"

const DIMS = 400
const K = 24

const searchGraph = (vectors: Float32Array, filterMinRows: number) => {
  const n = vectors.length / DIMS
  const rows = { vectors, n, dims: DIMS }
  const search = createPairSearch(rows, 1, K, filterMinRows)
  searchPairs(rows, search)
  const graph = allocateGraph(n, K)
  rankCandidates(rows, search, { from: 0, to: n }, graph)
  return { filtered: search.filter !== null, ...graph }
}

/** Returns the share of true neighbors in a graph, ties included, among those of every 20th row. */
const measureRecall = (vectors: Float32Array, { indices }: { readonly indices: Int32Array }): number => {
  const n = vectors.length / DIMS
  let hits = 0
  let wanted = 0
  for (let i = 0; i < n; i += 20) {
    const all = multiplyTransposed(vectors.subarray(i * DIMS, (i + 1) * DIMS), vectors, DIMS)
    const own = [...indices.subarray(i * K, (i + 1) * K)]
    expect(new Set(own.filter((j) => j !== i)).size).toBe(K)
    all[i] = Number.NEGATIVE_INFINITY
    const minSimilarity = all.slice().sort()[n - K]! - 1e-6
    hits += own.filter((j) => all[j]! >= minSimilarity).length
    wanted += K
  }
  return hits / wanted
}

const clustered = (n: number) => syntheticVectors(n, DIMS, 3, Math.ceil(n / 50)).vectors

/** Rows with duplicates and near duplicates, whose differences no direction of a sample shows. */
const nearDuplicates = () => {
  const vectors = clustered(1190)
  for (let r = 0; r < 1190; r += 7) {
    const row = vectors.subarray(r * DIMS, (r + 1) * DIMS)
    vectors.set(row, (r + 3) * DIMS)
    const near = row.slice()
    near[r % DIMS]! += 0.01
    const length = Math.hypot(...near)
    vectors.set(
      near.map((x) => x / length),
      (r + 5) * DIMS,
    )
  }
  return vectors
}

const withZeroRows = () => clustered(1100).fill(0, 50 * DIMS, 60 * DIMS)

describe("filtered pair search", () => {
  it.each([
    ["grouped topics", () => clustered(1100)],
    ["near duplicates", nearDuplicates],
    ["some rows of zeros", withZeroRows],
    ["an incomplete last block, group and panel", () => clustered(1003)],
  ])("finds the same neighbors as an unfiltered search: %s", (_, make) => {
    const vectors = make()
    const graph = searchGraph(vectors, 0)
    expect(graph.filtered).toBe(true)
    expect({ ...graph, filtered: false }).toEqual(searchGraph(vectors, Number.POSITIVE_INFINITY))
    expect(measureRecall(vectors, graph)).toBeGreaterThan(0.9999)
  })

  it("uses no filter for noise, equal rows, few rows or few dimensions", () => {
    const noise = syntheticVectors(800, DIMS, 5, 800).vectors
    const few = clustered(333)
    const equal = new Float32Array(600 * DIMS).map((_, i) => (i % DIMS === 7 ? 1 : 0))
    for (const vectors of [noise, equal, few]) {
      const graph = searchGraph(vectors, 0)
      expect(graph.filtered).toBe(false)
      expect(measureRecall(vectors, graph)).toBeGreaterThan(0.9999)
    }
    expect(buildExactFilter(syntheticVectors(900, 60, 3).vectors, { n: 900, dims: 60, width: 30 })).toBeNull()
    expect(buildExactFilter(new Float32Array(DIMS), { n: 1, dims: DIMS, width: 0 })).toBeNull()
  })

  it("gives upper bounds of all similarities and orders every row once", () => {
    const vectors = nearDuplicates()
    const n = vectors.length / DIMS
    const { shortRows, dims, order } = buildExactFilter(vectors, { n, dims: DIMS, width: 30 })!
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i))
    const bounds = multiplyTransposed(shortRows.slice(0, 300 * dims), shortRows.slice(), dims)
    const similarities = multiplyTransposed(vectors.slice(0, 300 * DIMS), vectors, DIMS)
    expect(similarities.every((s, i) => s <= bounds[i]! + 1e-5)).toBe(true)
  })
})
