import { describe, expect, it } from "vitest"
import { products } from "../neighbors/simd.ts"
import { orthonormal } from "./orthonormal.ts"
import { randomFrom } from "./random.ts"

describe("orthonormal rows", () => {
  it("span what was given, each at a right angle to the others, and leave out what adds nothing", () => {
    const [rows, dims] = [9, 40]
    const random = randomFrom(4)
    const matrix = Float32Array.from({ length: rows * dims }, () => 100 * (random() - 0.4))
    // Row 3 is empty, row 5 the sum of two before it.
    matrix.fill(0, 3 * dims, 4 * dims)
    for (let d = 0; d < dims; d++) matrix[5 * dims + d] = matrix[d]! + matrix[2 * dims + d]!
    const basis = orthonormal(matrix, dims)
    products(basis, basis, dims).forEach((x, i) => {
      const [r, c] = [Math.floor(i / rows), i % rows]
      expect(x).toBeCloseTo(r === c && r !== 3 && r !== 5 ? 1 : 0, 5)
    })
    const along = products(matrix, basis, dims)
    for (let r = 0; r < rows; r++) {
      const lengths = [matrix.subarray(r * dims, (r + 1) * dims), along.subarray(r * rows, (r + 1) * rows)]
      const [whole, found] = lengths.map((v) => Math.hypot(...v))
      expect(found! / (whole! || 1)).toBeCloseTo(whole ? 1 : 0, 5)
    }
  })
})
