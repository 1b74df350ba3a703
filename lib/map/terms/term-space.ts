import { findSortedIndex } from "../../domain/partition-point.ts"
import type { TermCounts } from "../../domain/text/terms.ts"
import { randomFrom } from "../layout/random.ts"
import type { EmbeddedTerms, EmbedTermsRequest, TermSpace } from "../types.ts"

const DIMENSIONS = 256
const POWER_ITERATIONS = 3
/** Terms of fewer documents say nothing about similarity. Among few documents, they keep these apart. */
const MIN_DOCUMENTS = 2
const FEW_DOCUMENTS = 20
const MAX_TERMS = 16_384
const SEED = 42
/** Dimensions with less variance are numerical noise. */
const MIN_VARIANCE = 1e-6

/**
 * Returns the position of a text in the space, before it is scaled to unit length. It is the zero vector if the space
 * knows none of its terms.
 */
export const projectTerms = (space: TermSpace, text: TermCounts): Float32Array => {
  const { dims, coords } = space
  const position = new Float32Array(dims)
  let squares = 0
  visitTerms(space, text, (column, weight) => {
    squares += weight * weight
    for (let d = 0; d < dims; d++) position[d]! += weight * coords[column * dims + d]!
  })
  // Scaled by the length of all weights, so that a text with few known directions has a short vector.
  if (squares > 0) for (let d = 0; d < dims; d++) position[d]! /= Math.sqrt(squares)
  return position
}

/** Places texts in a space, which is built first if there is none. */
export const embedTerms = ({ space, documents, texts }: EmbedTermsRequest): EmbeddedTerms => {
  const target = space ?? buildTermSpace(documents)
  const positions = new Float32Array(texts.length * target.dims)
  texts.forEach((text, i) => {
    positions.set(projectTerms(target, text), i * target.dims)
  })
  return { space: target, positions }
}

/** Rows of term weights: row r has the columns `columns[start[r]]` to `columns[start[r + 1] − 1]`. */
type SparseRows = { readonly start: Int32Array; readonly columns: Int32Array; readonly values: Float32Array }

/**
 * Builds the space of a set of documents. Deterministic. O(nonzeros · dims + terms · dims²).
 * @param documents the texts from which frequencies and dimensions are derived
 */
export const buildTermSpace = (documents: readonly TermCounts[]): TermSpace => {
  const known = chooseTerms(documents)
  const rows = weighDocuments(known, documents)
  const terms = known.hashes.length
  const dims = Math.min(DIMENSIONS, documents.length, terms)
  const coords = findDominantSubspace(rows, documents.length, terms, dims)
  return { dims, hashes: share(known.hashes), weights: share(known.weights), coords: share(coords) }
}

/** Copies an array to memory that threads share. */
const share = <T extends Uint32Array | Float32Array>(array: T): T => {
  const shared = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(array.byteLength),
  )
  shared.set(array)
  return shared
}

/** Chooses the terms that occur in several documents, or in any if there are few. If too many do, the most frequent ones are kept. */
const chooseTerms = (documents: readonly TermCounts[]): Pick<TermSpace, "hashes" | "weights"> => {
  const frequencies = new Map<number, number>()
  for (const { hashes } of documents) for (const hash of hashes) frequencies.set(hash, (frequencies.get(hash) ?? 0) + 1)
  const minDocuments = documents.length < FEW_DOCUMENTS ? 1 : MIN_DOCUMENTS
  const list = [...frequencies].filter(([, count]) => count >= minDocuments)
  if (list.length > MAX_TERMS) list.sort(([a, x], [b, y]) => y - x || a - b)
  const hashes = Uint32Array.from(list.slice(0, MAX_TERMS), ([hash]) => hash).sort()
  const weights = Float32Array.from(hashes, (hash) => Math.log((1 + documents.length) / frequencies.get(hash)!))
  return { hashes, weights }
}

/** Calls `visit` with the column and the weight (1 + log tf) · idf of each known term of a text. */
const visitTerms = (
  { hashes, weights }: Pick<TermSpace, "hashes" | "weights">,
  text: TermCounts,
  visit: (column: number, weight: number) => void,
): void => {
  for (let i = 0; i < text.hashes.length; i++) {
    const column = findSortedIndex(hashes, text.hashes[i]!)
    if (column >= 0) visit(column, (1 + Math.log(text.counts[i]!)) * weights[column]!)
  }
}

/** Returns the weighted rows of the documents, each of unit length. */
const weighDocuments = (known: Pick<TermSpace, "hashes" | "weights">, documents: readonly TermCounts[]): SparseRows => {
  const start = new Int32Array(documents.length + 1)
  const columns: number[] = []
  const values: number[] = []
  documents.forEach((text, row) => {
    let squares = 0
    visitTerms(known, text, (column, weight) => {
      columns.push(column)
      values.push(weight)
      squares += weight * weight
    })
    start[row + 1] = columns.length
    const length = Math.sqrt(squares) || 1
    for (let e = start[row]!; e < columns.length; e++) values[e] = values[e]! / length
  })
  return { start, columns: Int32Array.from(columns), values: Float32Array.from(values) }
}

/**
 * Returns an orthonormal basis of the subspace of the largest singular vectors, terms × dims, by randomized subspace
 * iteration (Halko, Martinsson and Tropp 2011). Distances do not depend on the choice of the basis.
 */
const findDominantSubspace = (rows: SparseRows, documents: number, terms: number, dims: number): Float32Array => {
  const random = randomFrom(SEED)
  let left = Float32Array.from({ length: documents * dims }, () => random() - 0.5)
  for (let i = 0; i < POWER_ITERATIONS; i++) {
    orthonormalize(left, documents, dims)
    left = multiply(rows, multiplyTransposed(rows, left, documents, terms, dims), documents, dims)
  }
  orthonormalize(left, documents, dims)
  const basis = multiplyTransposed(rows, left, documents, terms, dims)
  // Orthonormalizing `basis` itself would take several times as long, because it has far more rows.
  const products = multiplyColumns(left, multiply(rows, basis, documents, dims), documents, dims)
  divideByFactor(basis, choleskyFactor(products, dims), terms, dims)
  return basis
}

/** Returns rows · right, documents × width. */
const multiply = (
  { start, columns, values }: SparseRows,
  right: Float32Array,
  documents: number,
  width: number,
): Float32Array<ArrayBuffer> => {
  const out = new Float32Array(documents * width)
  for (let row = 0; row < documents; row++)
    for (let e = start[row]!; e < start[row + 1]!; e++) {
      const from = columns[e]! * width
      const value = values[e]!
      for (let d = 0; d < width; d++) out[row * width + d]! += value * right[from + d]!
    }
  return out
}

/** Returns rowsᵀ · left, terms × width. */
const multiplyTransposed = (
  { start, columns, values }: SparseRows,
  left: Float32Array,
  documents: number,
  terms: number,
  width: number,
): Float32Array<ArrayBuffer> => {
  const out = new Float32Array(terms * width)
  for (let row = 0; row < documents; row++)
    for (let e = start[row]!; e < start[row + 1]!; e++) {
      const to = columns[e]! * width
      const value = values[e]!
      for (let d = 0; d < width; d++) out[to + d]! += value * left[row * width + d]!
    }
  return out
}

/** Makes the columns of a rows × width matrix orthonormal by modified Gram-Schmidt, done twice for accuracy. */
const orthonormalize = (matrix: Float32Array, rows: number, width: number): void => {
  const columns = transpose(matrix, rows, width)
  for (let a = 0; a < width; a++) {
    const column = columns.subarray(a * rows, (a + 1) * rows)
    for (let pass = 0; pass < 2; pass++)
      for (let b = 0; b < a; b++) {
        const other = columns.subarray(b * rows, (b + 1) * rows)
        const share = dot(column, other)
        for (let i = 0; i < rows; i++) column[i]! -= share * other[i]!
      }
    const length = Math.sqrt(dot(column, column))
    if (length > 1e-6) for (let i = 0; i < rows; i++) column[i]! /= length
    else column.fill(0)
  }
  matrix.set(transpose(columns, width, rows))
}

/** Returns aᵀ · b for two matrices of rows × width, as width × width. */
const multiplyColumns = (a: Float32Array, b: Float32Array, rows: number, width: number): Float64Array => {
  const out = new Float64Array(width * width)
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < width; i++) {
      const value = a[row * width + i]!
      for (let j = 0; j < width; j++) out[i * width + j]! += value * b[row * width + j]!
    }
  return out
}

/**
 * Returns the lower triangular factor of a symmetric positive semidefinite matrix. A dimension without variance gets a
 * diagonal of 0.
 */
const choleskyFactor = (matrix: Float64Array, size: number): Float64Array => {
  const factor = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!
      for (let k = 0; k < j; k++) sum -= factor[i * size + k]! * factor[j * size + k]!
      if (i === j) factor[i * size + i] = sum > MIN_VARIANCE ? Math.sqrt(sum) : 0
      else factor[i * size + j] = factor[j * size + j] === 0 ? 0 : sum / factor[j * size + j]!
    }
  return factor
}

/** Replaces each row x by the solution y of factor · y = x, which makes the columns of the matrix orthonormal. */
const divideByFactor = (matrix: Float32Array, factor: Float64Array, rows: number, width: number): void => {
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < width; i++) {
      let sum = matrix[row * width + i]!
      for (let k = 0; k < i; k++) sum -= factor[i * width + k]! * matrix[row * width + k]!
      matrix[row * width + i] = factor[i * width + i] === 0 ? 0 : sum / factor[i * width + i]!
    }
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

const transpose = (matrix: Float32Array, rows: number, width: number): Float32Array => {
  const out = new Float32Array(matrix.length)
  for (let r = 0; r < rows; r++) for (let c = 0; c < width; c++) out[c * rows + r] = matrix[r * width + c]!
  return out
}
