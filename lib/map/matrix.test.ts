import { describe, expect, it } from "vitest"
import { randomFrom } from "./layout/random.ts"
import { multiplyTransposed, orthonormalizeRows } from "./matrix.ts"

describe("orthonormalizeRows", () => {
  it("spans the space of the given rows and turns dependent rows into zeros", () => {
    const [rows, dims] = [9, 40]
    const random = randomFrom(4)
    const matrix = Float32Array.from({ length: rows * dims }, () => 100 * (random() - 0.4))
    // Row 3 is zero. Row 5 is the sum of rows 0 and 2.
    matrix.fill(0, 3 * dims, 4 * dims)
    for (let d = 0; d < dims; d++) matrix[5 * dims + d] = matrix[d]! + matrix[2 * dims + d]!
    const basis = orthonormalizeRows(matrix, dims)
    multiplyTransposed(basis, basis, dims).forEach((x, i) => {
      const [r, c] = [Math.floor(i / rows), i % rows]
      expect(x).toBeCloseTo(r === c && r !== 3 && r !== 5 ? 1 : 0, 5)
    })
    const projections = multiplyTransposed(matrix, basis, dims)
    for (let r = 0; r < rows; r++) {
      const lengths = [matrix.subarray(r * dims, (r + 1) * dims), projections.subarray(r * rows, (r + 1) * rows)]
      const [length, projectedLength] = lengths.map((v) => Math.hypot(...v))
      expect(projectedLength! / (length! || 1)).toBeCloseTo(length ? 1 : 0, 5)
    }
  })
})
