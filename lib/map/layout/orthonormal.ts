import { products } from "../neighbors/simd.ts"

/** A direction of which less than this part is new stands in the others already. */
const NEW = 1e-5

/**
 * Orthonormal rows that span what the given ones span; rows of zeros for those that the rows before them span. By the
 * Cholesky factor of all their products, twice for accuracy (Yamamoto et al., "Roundoff error analysis of the CholeskyQR2
 * algorithm", 2015), so that nearly all of it is products of matrices.
 *
 * @param matrix rows × dims, fewer rows than dims.
 */
export const orthonormal = (matrix: Float32Array, dims: number): Float32Array => once(once(matrix, dims), dims)

const once = (matrix: Float32Array, dims: number): Float32Array => {
  const rows = matrix.length / dims
  const columns = new Float32Array(matrix.length)
  for (let r = 0, at = 0; r < rows; r++) for (let d = 0; d < dims; d++) columns[d * rows + r] = matrix[at++]!
  return products(inverseFactor(products(matrix, matrix, dims), rows), columns, rows)
}

/** The inverse of the lower triangular L with L·Lᵀ = gram; zeros in rows and columns that add nothing. */
const inverseFactor = (gram: Float32Array, n: number): Float32Array => {
  const lower = new Float64Array(n * n)
  const inverse = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = gram[i * n + j]!
      for (let m = 0; m < j; m++) sum -= lower[i * n + m]! * lower[j * n + m]!
      const pivot = lower[j * n + j]!
      if (i === j) lower[i * n + i] = sum > NEW * gram[i * n + i]! ? Math.sqrt(sum) : 0
      else lower[i * n + j] = pivot > 0 ? sum / pivot : 0
    }
    const pivot = lower[i * n + i]!
    if (pivot === 0) continue
    inverse[i * n + i] = 1 / pivot
    for (let m = 0; m < i; m++) {
      const weight = lower[i * n + m]! / pivot
      for (let j = 0; j <= m; j++) inverse[i * n + j]! -= weight * inverse[m * n + j]!
    }
  }
  return Float32Array.from(inverse)
}
