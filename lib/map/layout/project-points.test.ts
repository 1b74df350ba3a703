import { describe, expect, it } from "vitest"
import { syntheticVectors } from "#test/bench/viz/synthetic.ts"
import { nearestNeighbours } from "../neighbors/knn.ts"
import { projectNewPoints } from "./project-points.ts"
import { umap3d } from "./umap.ts"

const [n, dims] = [300, 32]
const { vectors, labels } = syntheticVectors(n, dims, 6, 6)
const full = umap3d(vectors, n, dims, { seed: 1, knn: nearestNeighbours(vectors, n, dims) })
const isNew = (i: number) => i % 10 === 3
const known = Uint8Array.from({ length: n }, (_, i) => (isNew(i) ? 0 : 1))
const places = { coords: full.map((x, i) => (isNew(Math.floor(i / 3)) ? 0 : x)), known }
const at = (coords: Float32Array, i: number) => coords.subarray(3 * i, 3 * i + 3)
const distance = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((x, c) => x - b[c]!))

describe("placing new points", () => {
  const placed = projectNewPoints({ vectors, dims }, places)

  it("moves no known point", () => {
    for (let i = 0; i < n; i++) if (!isNew(i)) expect(at(placed, i)).toEqual(at(full, i))
  })

  it("puts new points among their own kind", () => {
    let right = 0
    let asked = 0
    for (let i = 0; i < n; i++) {
      if (!isNew(i)) continue
      asked++
      const nearest = [...known.keys()]
        .filter((j) => known[j] === 1)
        .sort((a, b) => distance(at(placed, i), at(full, a)) - distance(at(placed, i), at(full, b)))[0]!
      if (labels[nearest] === labels[i]) right++
    }
    expect(right / asked).toBeGreaterThan(0.9)
  })

  it("does not depend on which other points are new, nor hide an equal one", () => {
    const two = Float32Array.from([...vectors.subarray(0, dims * 5), ...vectors.subarray(0, dims)])
    const few = { coords: full.slice(0, 18).fill(0, 15), known: Uint8Array.from([1, 1, 1, 1, 1, 0]) }
    const out = projectNewPoints({ vectors: two, dims }, few)
    const gap = distance(at(out, 5), at(out, 0))
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(0.2 * Math.max(...full.map(Math.abs)))
    const more = Float32Array.from([...two, ...vectors.subarray(dims * 9, dims * 10)])
    const again = projectNewPoints(
      { vectors: more, dims },
      { coords: Float32Array.from([...few.coords, 0, 0, 0]), known: Uint8Array.from([...few.known, 0]) },
    )
    expect(at(again, 5)).toEqual(at(out, 5))
  })

  it("is finite beside a single known point", () => {
    const out = projectNewPoints(
      { vectors: vectors.slice(0, 3 * dims), dims },
      { coords: new Float32Array(9), known: Uint8Array.from([1, 0, 0]) },
    )
    expect(out.every(Number.isFinite)).toBe(true)
    expect([...at(out, 0)]).toEqual([0, 0, 0])
  })
})
