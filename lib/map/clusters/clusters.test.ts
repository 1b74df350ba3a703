import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { adjustedRand } from "#test/bench/viz/quality.ts"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import { buildMergeTree, cutTree } from "./clusters.ts"

const clusterRows = (vectors: Float32Array, rows: number, dims: number, rowOf: Int32Array) =>
  buildMergeTree({ vectors, rows, dims, rowOf }, findNeighbors(vectors, rows, dims))

const oneRowPerPoint = (n: number) => Int32Array.from({ length: n }, (_, i) => i)

/** Average linkage by definition: merges the pair of clusters with the smallest mean distance until none is below the threshold. */
const clusterByDefinition = (vectors: Float32Array, dims: number, rowOf: Int32Array, threshold: number): number[] => {
  const distance = (p: number, q: number) => {
    if (rowOf[p] === rowOf[q]) return 0
    let sum = 0
    for (let d = 0; d < dims; d++) sum += vectors[rowOf[p]! * dims + d]! * vectors[rowOf[q]! * dims + d]!
    return 1 - sum
  }
  let clusters = [...rowOf.keys()].map((p) => [p])
  for (;;) {
    let best = { d: Number.POSITIVE_INFINITY, i: 0, j: 0 }
    for (let i = 0; i < clusters.length; i++)
      for (let j = i + 1; j < clusters.length; j++) {
        const pairs = clusters[i]!.flatMap((p) => clusters[j]!.map((q) => distance(p, q)))
        const d = pairs.reduce((sum, x) => sum + x, 0) / pairs.length
        if (d < best.d) best = { d, i, j }
      }
    if (!(best.d < threshold)) break
    clusters[best.i] = [...clusters[best.i]!, ...clusters[best.j]!]
    clusters = clusters.filter((_, c) => c !== best.j)
  }
  const label = new Map<number[], number>()
  return [...rowOf.keys()].map((p) => {
    const own = clusters.find((c) => c.includes(p))!
    if (!label.has(own)) label.set(own, label.size)
    return label.get(own)!
  })
}

describe("average linkage", () => {
  it.each([
    [40, 8, 1],
    [60, 24, 2],
    [70, 3, 3],
  ])("equals the definition at every threshold (%i points, %i dimensions)", (n, dims, seed) => {
    const { vectors } = syntheticVectors(n, dims, seed, 7)
    const tree = clusterRows(vectors, n, dims, oneRowPerPoint(n))
    for (const threshold of [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1])
      expect([...cutTree(tree, n, threshold).labels]).toEqual(
        clusterByDefinition(vectors, dims, oneRowPerPoint(n), threshold),
      )
  })

  it("counts every point of a shared row and separates equal points at threshold 0", () => {
    const rows = 12
    const { vectors } = syntheticVectors(rows, 6, 5, 3)
    const rowOf = Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 3, 3, 3, 7, 7, 0, 11, 11, 11, 11, 2, 5])
    const tree = clusterRows(vectors, rows, 6, rowOf)
    for (const threshold of [0.05, 0.2, 0.35, 0.6, 1])
      expect([...cutTree(tree, rowOf.length, threshold).labels]).toEqual(
        clusterByDefinition(vectors, 6, rowOf, threshold),
      )
    expect(cutTree(tree, rowOf.length, 0).count).toBe(rowOf.length)
  })

  it("finds the same clusters and distances as SciPy", () => {
    // scipy.cluster.hierarchy.linkage(pdist(v, "cosine"), "average") with SciPy 1.17, v being unit vectors at these angles.
    const degrees = [0, 4, 9, 40, 46, 85, 90, 91, 130, 179]
    const vectors = Float32Array.from(
      degrees.flatMap((a) => [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)]),
    )
    const tree = clusterRows(vectors, degrees.length, 2, oneRowPerPoint(degrees.length))
    const at = (t: number) => [...cutTree(tree, degrees.length, t).labels]
    const heights = [0.000152304844, 0.00243594974, 0.00464170327, 0.00547810463, 0.00805848066]
    const upper = [0.221888759, 0.249900938, 0.828625773, 1.41987818]
    expect([...tree.distance].map((d) => d.toFixed(6))).toEqual([...heights, ...upper].map((d) => d.toFixed(6)))
    expect(at(0.01)).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 3, 4])
    expect(at(0.25)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 2])
    expect(at(1)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it("only merges clusters as the threshold rises and labels them by first appearance", () => {
    const sizes = fc.record({ n: fc.integer({ min: 0, max: 50 }), seed: fc.integer({ min: 1, max: 1e6 }) })
    fc.assert(
      fc.property(
        sizes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (s, x, y) => {
          const { vectors } = syntheticVectors(s.n, 5, s.seed, 4)
          const tree = clusterRows(vectors, s.n, 5, oneRowPerPoint(s.n))
          const fine = cutTree(tree, s.n, Math.min(x, y))
          const coarse = cutTree(tree, s.n, Math.max(x, y))
          const parentOf = new Map<number, number>()
          for (let i = 0; i < s.n; i++) {
            const known = parentOf.get(fine.labels[i]!)
            if (known !== undefined) expect(known).toBe(coarse.labels[i])
            parentOf.set(fine.labels[i]!, coarse.labels[i]!)
          }
          for (const { labels, count } of [fine, coarse]) {
            const firsts = [...new Set(labels)]
            expect(firsts).toEqual(firsts.map((_, i) => i))
            expect(firsts).toHaveLength(count)
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it("clusters many equal rows", () => {
    const n = 100
    const vectors = new Float32Array(n * 3).map((_, i) => (i % 3 === (i < 150 ? 0 : 1) ? 1 : 0))
    const tree = clusterRows(vectors, n, 3, oneRowPerPoint(n))
    expect(tree.left).toHaveLength(n - 1)
    expect(cutTree(tree, n, 0.35).count).toBe(2)
  })

  it("finds almost the same clusters with projected means", () => {
    const [n, dims] = [1500, 256]
    const { vectors } = syntheticVectors(n, dims, 6)
    const graph = findNeighbors(vectors, n, dims, 5)
    const points = { vectors, rows: n, dims, rowOf: oneRowPerPoint(n) }
    const [exact, approximate] = [Number.POSITIVE_INFINITY, 0].map((rows) => buildMergeTree(points, graph, rows))
    for (const threshold of [0.3, 0.5, 0.7, 0.9]) {
      const [a, b] = [exact!, approximate!].map((tree) => [...cutTree(tree, n, threshold).labels])
      expect(adjustedRand(a!, b!)).toBeGreaterThan(0.98)
    }
  })
})
