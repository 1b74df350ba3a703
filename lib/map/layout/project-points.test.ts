import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { findNeighbors } from "../neighbors/nearest-neighbors.ts"
import { projectNewPoints } from "./project-points.ts"
import { computeLayout } from "./umap.ts"

const [n, dims] = [300, 32]
const { vectors, labels } = syntheticVectors(n, dims, 6, 6)
const full = computeLayout(vectors, n, dims, { seed: 1, graph: findNeighbors(vectors, n, dims) })
const isNew = (i: number) => i % 10 === 3
const known = Uint8Array.from({ length: n }, (_, i) => (isNew(i) ? 0 : 1))
const previous = { coords: full.map((x, i) => (isNew(Math.floor(i / 3)) ? 0 : x)), known }
const pointAt = (coords: Float32Array, i: number) => coords.subarray(3 * i, 3 * i + 3)
const distance = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((x, c) => x - b[c]!))

describe("projectNewPoints", () => {
  const projected = projectNewPoints({ vectors, dims }, previous)

  it("keeps the position of known points", () => {
    for (let i = 0; i < n; i++) if (!isNew(i)) expect(pointAt(projected, i)).toEqual(pointAt(full, i))
  })

  it("places new points next to points of the same topic", () => {
    let correct = 0
    let total = 0
    for (let i = 0; i < n; i++) {
      if (!isNew(i)) continue
      total++
      const nearest = [...known.keys()]
        .filter((j) => known[j] === 1)
        .sort(
          (a, b) =>
            distance(pointAt(projected, i), pointAt(full, a)) - distance(pointAt(projected, i), pointAt(full, b)),
        )[0]!
      if (labels[nearest] === labels[i]) correct++
    }
    expect(correct / total).toBeGreaterThan(0.9)
  })

  it("does not depend on other new points and does not cover an equal point", () => {
    const two = Float32Array.from([...vectors.subarray(0, dims * 5), ...vectors.subarray(0, dims)])
    const few = { coords: full.slice(0, 18).fill(0, 15), known: Uint8Array.from([1, 1, 1, 1, 1, 0]) }
    const out = projectNewPoints({ vectors: two, dims }, few)
    const gap = distance(pointAt(out, 5), pointAt(out, 0))
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(0.2 * Math.max(...full.map(Math.abs)))
    const more = Float32Array.from([...two, ...vectors.subarray(dims * 9, dims * 10)])
    const again = projectNewPoints(
      { vectors: more, dims },
      { coords: Float32Array.from([...few.coords, 0, 0, 0]), known: Uint8Array.from([...few.known, 0]) },
    )
    expect(pointAt(again, 5)).toEqual(pointAt(out, 5))
  })

  it("returns finite coordinates with a single known point", () => {
    const out = projectNewPoints(
      { vectors: vectors.slice(0, 3 * dims), dims },
      { coords: new Float32Array(9), known: Uint8Array.from([1, 0, 0]) },
    )
    expect(out.every(Number.isFinite)).toBe(true)
    expect([...pointAt(out, 0)]).toEqual([0, 0, 0])
  })
})
