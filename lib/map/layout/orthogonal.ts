type Matrix = number[][]

const SWEEPS = 30

/**
 * The rotation or reflection U·Vᵀ nearest to a 3 × 3 matrix U·S·Vᵀ, and the sum of S, by one-sided Jacobi rotations
 * (Hestenes 1958). Columns that vanish are completed to an orthonormal basis, so a flat or empty matrix is fine.
 */
export const orthogonalPart = (matrix: Matrix): { readonly turn: Matrix; readonly gain: number } => {
  const u = [0, 1, 2].map((c) => matrix.map((row) => row[c]!)) as Matrix
  const v: Matrix = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const between = inner(u[p]!, u[q]!)
      const [pp, qq] = [inner(u[p]!, u[p]!), inner(u[q]!, u[q]!)]
      if (Math.abs(between) <= 1e-15 * Math.sqrt(pp * qq)) continue
      const zeta = (qq - pp) / (2 * between)
      const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
      const cos = 1 / Math.sqrt(1 + t * t)
      rotate(u, p, q, cos, cos * t)
      rotate(v, p, q, cos, cos * t)
    }
  const sizes = u.map((column) => Math.sqrt(inner(column, column)))
  const basis = completed(u, sizes)
  const turn = [0, 1, 2].map((a) => [0, 1, 2].map((b) => basis.reduce((sum, c, i) => sum + c[a]! * v[i]![b]!, 0)))
  return { turn, gain: sizes.reduce((sum, s) => sum + s, 0) }
}

const inner = (a: number[], b: number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

const rotate = (columns: Matrix, p: number, q: number, cos: number, sin: number): void => {
  const [x, y] = [columns[p]!, columns[q]!]
  columns[p] = x.map((value, i) => cos * value - sin * y[i]!)
  columns[q] = x.map((value, i) => sin * value + cos * y[i]!)
}

/** Columns scaled to unit length, largest first; one too small to have a direction takes what is left over. */
const completed = (columns: Matrix, sizes: readonly number[]): Matrix => {
  const out: Matrix = []
  const largest = Math.max(...sizes)
  const done: number[][] = []
  for (const i of [0, 1, 2].sort((a, b) => sizes[b]! - sizes[a]! || a - b)) {
    const candidates = sizes[i]! > 1e-9 * largest && sizes[i]! > 0 ? [columns[i]!] : []
    out[i] = [...candidates, [1, 0, 0], [0, 1, 0], [0, 0, 1]].map((c) => without(c, done)).find((c) => c !== null)!
    done.push(out[i]!)
  }
  return out
}

/** The unit vector along what of c is orthogonal to the others; null when hardly anything is. */
const without = (c: number[], others: Matrix): number[] | null => {
  const size = Math.sqrt(inner(c, c))
  let rest = c.map((x) => x / size)
  for (const o of others) {
    const along = inner(rest, o)
    rest = rest.map((x, i) => x - along * o[i]!)
  }
  const left = Math.sqrt(inner(rest, rest))
  return left < 0.1 ? null : rest.map((x) => x / left)
}
