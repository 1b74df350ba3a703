import { openDotTiles, PANEL } from "./kernels/dot-products.ts"

// Matrices are row-major Float32Arrays.

/**
 * Multiplies a matrix with the transpose of another, A · Bᵀ: all dot products of rows of `a` with rows of `b`.
 *
 * @param a rows × dims
 * @param b columns × dims
 * @returns rows × columns
 */
export const multiplyTransposed = (a: Float32Array, b: Float32Array, dims: number): Float32Array => {
  const [rows, columns] = [a.length / dims, b.length / dims]
  const tiles = openDotTiles(dims, columns)
  const out = new Float32Array(rows * columns)
  for (let c = 0; c < columns; c++) tiles.setQuery(c, b, c * dims)
  for (let from = 0; from < rows; from += tiles.blockRows) {
    const count = Math.min(tiles.blockRows, rows - from)
    for (let r = 0; r < count; r++) tiles.setRow(r, a, (from + r) * dims)
    for (let first = 0; first < columns; first += PANEL) {
      const dots = tiles.run(first / PANEL, count)
      const last = Math.min(PANEL, columns - first)
      for (let r = 0; r < count; r++)
        for (let c = 0; c < last; c++) out[(from + r) * columns + first + c] = dots[r * PANEL + c]!
    }
  }
  return out
}

export const transpose = (matrix: Float32Array, columns: number): Float32Array => {
  const rows = matrix.length / columns
  const out = new Float32Array(matrix.length)
  for (let r = 0, at = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = matrix[at++]!
  return out
}

/** Copies at most `maxRows` rows, evenly spaced. */
export const sampleRows = (matrix: Float32Array, rows: number, dims: number, maxRows: number): Float32Array => {
  const count = Math.min(rows, maxRows)
  const out = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const row = Math.floor((i * rows) / count) * dims
    out.set(matrix.subarray(row, row + dims), i * dims)
  }
  return out
}

/** A row counts as a combination of earlier rows if less than this share of its squared length is independent of them. */
const MIN_INDEPENDENT_SHARE = 1e-5

/**
 * Computes orthonormal rows that span the same space as the given rows. A row that earlier rows already span becomes
 * zeros. Two passes of Cholesky QR, which consists almost entirely of matrix products (Yamamoto et al., "Roundoff error
 * analysis of the CholeskyQR2 algorithm", 2015).
 *
 * @param matrix rows × dims, with fewer rows than dims
 */
export const orthonormalizeRows = (matrix: Float32Array, dims: number): Float32Array =>
  choleskyQr(choleskyQr(matrix, dims), dims)

const choleskyQr = (matrix: Float32Array, dims: number): Float32Array => {
  const rows = matrix.length / dims
  const gram = multiplyTransposed(matrix, matrix, dims)
  return multiplyTransposed(invertCholeskyFactor(gram, rows), transpose(matrix, dims), rows)
}

/** Inverts the lower triangular L with L · Lᵀ = gram. Rows and columns that depend on earlier ones become zeros. O(n³). */
const invertCholeskyFactor = (gram: Float32Array, n: number): Float32Array => {
  const lower = new Float64Array(n * n)
  const inverse = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = gram[i * n + j]!
      for (let m = 0; m < j; m++) sum -= lower[i * n + m]! * lower[j * n + m]!
      const pivot = lower[j * n + j]!
      if (i === j) lower[i * n + i] = sum > MIN_INDEPENDENT_SHARE * gram[i * n + i]! ? Math.sqrt(sum) : 0
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
