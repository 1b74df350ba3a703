import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { neighboursAmong, openGraph } from "./knn.ts"
import { openSieve } from "./pair-filter.ts"
import { openSearch, searchPairs } from "./search.ts"
import { products } from "./simd.ts"

const DIMS = 400
const K = 24

const graphOf = (vectors: Float32Array, sieveFrom: number) => {
  const n = vectors.length / DIMS
  const rows = { vectors, n, dims: DIMS }
  const search = openSearch(rows, 1, K, sieveFrom)
  searchPairs(rows, search)
  const graph = openGraph(n, K)
  neighboursAmong(rows, search, { from: 0, to: n }, graph)
  return { sieved: search.sieve !== null, ...graph }
}

/** The share of the true neighbours of every fifth row, or of what is as near, in a graph. */
const recall = (vectors: Float32Array, { indices }: { readonly indices: Int32Array }): number => {
  const n = vectors.length / DIMS
  let hits = 0
  let asked = 0
  for (let i = 0; i < n; i += 5) {
    const all = products(vectors.subarray(i * DIMS, (i + 1) * DIMS), vectors, DIMS)
    const own = [...indices.subarray(i * K, (i + 1) * K)]
    expect(new Set(own.filter((j) => j !== i)).size).toBe(K)
    all[i] = Number.NEGATIVE_INFINITY
    const least = all.slice().sort()[n - K]! - 1e-6
    hits += own.filter((j) => all[j]! >= least).length
    asked += K
  }
  return hits / asked
}

const clustered = (n: number) => syntheticVectors(n, DIMS, 3, Math.ceil(n / 50)).vectors

/** Rows in pairs and triples that hardly differ, or not at all, along what no direction of a sample shows. */
const nearDuplicates = () => {
  const vectors = clustered(1400)
  for (let r = 0; r < 1400; r += 7) {
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

const withZeros = () => clustered(1300).fill(0, 50 * DIMS, 60 * DIMS)

describe("a search through all pairs by a sieve", () => {
  it.each([
    ["topics in groups", () => clustered(1600)],
    ["near duplicates", nearDuplicates],
    ["rows of zeros among others", withZeros],
    ["no whole number of blocks, groups or panels", () => clustered(1499)],
  ])("finds what one in full finds: %s", (_, make) => {
    const vectors = make()
    const graph = graphOf(vectors, 0)
    expect(graph.sieved).toBe(true)
    expect({ ...graph, sieved: false }).toEqual(graphOf(vectors, Number.POSITIVE_INFINITY))
    expect(recall(vectors, graph)).toBeGreaterThan(0.9999)
  })

  it("does without where rows have little in common, or everything, or are few, or have too few numbers", () => {
    const noise = syntheticVectors(1200, DIMS, 5, 1200).vectors
    const few = clustered(333)
    const equal = new Float32Array(600 * DIMS).map((_, i) => (i % DIMS === 7 ? 1 : 0))
    for (const vectors of [noise, equal, few]) {
      const graph = graphOf(vectors, 0)
      expect(graph.sieved).toBe(false)
      expect(recall(vectors, graph)).toBeGreaterThan(0.9999)
    }
    expect(openSieve(syntheticVectors(900, 60, 3).vectors, { n: 900, dims: 60, width: 30 })).toBeNull()
    expect(openSieve(new Float32Array(DIMS), { n: 1, dims: DIMS, width: 0 })).toBeNull()
  })

  it("has bounds that no similarity exceeds, over every row once", () => {
    const vectors = nearDuplicates()
    const n = vectors.length / DIMS
    const { narrow, dims, order } = openSieve(vectors, { n, dims: DIMS, width: 30 })!
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i))
    const bounds = products(narrow.slice(0, 300 * dims), narrow.slice(), dims)
    const similarities = products(vectors.slice(0, 300 * DIMS), vectors, DIMS)
    expect(similarities.every((s, i) => s <= bounds[i]! + 1e-5)).toBe(true)
  })
})
