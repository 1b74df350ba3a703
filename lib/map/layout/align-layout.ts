import type { PartialLayout } from "../types.ts"

/** With fewer common rows, a rotation and a scale are not determined well enough. */
const MIN_COMMON_ROWS = 4

/**
 * Rotates, mirrors, scales and shifts a new layout so that the rows that the old layout has lie as close as possible to
 * their old coordinates, by least squares (Umeyama 1991, with reflections allowed). Without this, every refit would turn
 * the map arbitrarily. Returns the layout unchanged if the two share fewer than four rows.
 *
 * @param coords rows × 3, not modified
 */
export const alignLayout = (coords: Float32Array, { coords: old, known }: PartialLayout): Float32Array => {
  const common = Int32Array.from(known.keys()).filter((r) => known[r] === 1)
  if (common.length < MIN_COMMON_ROWS) return coords
  const from = meanPoint(coords, common)
  const to = meanPoint(old, common)
  const covariance = Array.from({ length: 3 }, () => [0, 0, 0])
  let variance = 0
  for (const r of common)
    for (let a = 0; a < 3; a++) {
      const x = coords[3 * r + a]! - from[a]!
      variance += x * x
      for (let b = 0; b < 3; b++) covariance[a]![b]! += x * (old[3 * r + b]! - to[b]!)
    }
  const { rotation, singularValueSum } = nearestOrthogonal(covariance)
  // If all common rows coincide in one of the layouts, the scale is undetermined.
  const scale = variance > 0 && singularValueSum > 1e-9 * variance ? singularValueSum / variance : 1
  const out = new Float32Array(coords.length)
  for (let i = 0; i < coords.length; i += 3)
    for (let b = 0; b < 3; b++) {
      let sum = 0
      for (let a = 0; a < 3; a++) sum += (coords[i + a]! - from[a]!) * rotation[a]![b]!
      out[i + b] = scale * sum + to[b]!
    }
  return out
}

const meanPoint = (coords: Float32Array, rows: Int32Array): number[] => {
  const mean = [0, 0, 0]
  for (const r of rows) for (let c = 0; c < 3; c++) mean[c]! += coords[3 * r + c]! / rows.length
  return mean
}

type Matrix3 = number[][]

/** Jacobi sweeps. A 3 × 3 matrix converges in far fewer. */
const MAX_SWEEPS = 30

/**
 * Computes the rotation or reflection U · Vᵀ that is nearest to a 3 × 3 matrix U · S · Vᵀ, and the sum of its singular
 * values, by one-sided Jacobi rotations (Hestenes 1958). For a singular matrix, U is completed to an orthonormal basis.
 */
export const nearestOrthogonal = (
  matrix: Matrix3,
): { readonly rotation: Matrix3; readonly singularValueSum: number } => {
  const u = [0, 1, 2].map((c) => matrix.map((row) => row[c]!)) as Matrix3
  const v: Matrix3 = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const product = dot(u[p]!, u[q]!)
      const [pp, qq] = [dot(u[p]!, u[p]!), dot(u[q]!, u[q]!)]
      if (Math.abs(product) <= 1e-15 * Math.sqrt(pp * qq)) continue
      const zeta = (qq - pp) / (2 * product)
      const tan = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
      const cos = 1 / Math.sqrt(1 + tan * tan)
      rotateColumns(u, p, q, cos, cos * tan)
      rotateColumns(v, p, q, cos, cos * tan)
    }
  const lengths = u.map((column) => Math.sqrt(dot(column, column)))
  const basis = completeBasis(u, lengths)
  const rotation = [0, 1, 2].map((a) => [0, 1, 2].map((b) => basis.reduce((sum, c, i) => sum + c[a]! * v[i]![b]!, 0)))
  return { rotation, singularValueSum: lengths.reduce((sum, s) => sum + s, 0) }
}

const dot = (a: number[], b: number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

const rotateColumns = (columns: Matrix3, p: number, q: number, cos: number, sin: number): void => {
  const [x, y] = [columns[p]!, columns[q]!]
  columns[p] = x.map((value, i) => cos * value - sin * y[i]!)
  columns[q] = x.map((value, i) => sin * value + cos * y[i]!)
}

/** Scales columns to unit length, longest first. Replaces columns that are close to zero by orthogonal unit vectors. */
const completeBasis = (columns: Matrix3, lengths: readonly number[]): Matrix3 => {
  const out: Matrix3 = []
  const longest = Math.max(...lengths)
  const done: number[][] = []
  for (const i of [0, 1, 2].sort((a, b) => lengths[b]! - lengths[a]! || a - b)) {
    const own = lengths[i]! > 1e-9 * longest && lengths[i]! > 0 ? [columns[i]!] : []
    out[i] = [...own, [1, 0, 0], [0, 1, 0], [0, 0, 1]].map((c) => orthogonalUnit(c, done)).find((c) => c !== null)!
    done.push(out[i]!)
  }
  return out
}

/** Returns the unit vector along the part of c that is orthogonal to the others, or null if that part is too small. */
const orthogonalUnit = (c: number[], others: Matrix3): number[] | null => {
  const length = Math.sqrt(dot(c, c))
  let rest = c.map((x) => x / length)
  for (const o of others) {
    const projection = dot(rest, o)
    rest = rest.map((x, i) => x - projection * o[i]!)
  }
  const restLength = Math.sqrt(dot(rest, rest))
  return restLength < 0.1 ? null : rest.map((x) => x / restLength)
}
