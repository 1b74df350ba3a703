/** Cells hold about this many points on average. */
const POINTS_PER_CELL = 2
const MAX_CELLS_PER_SIDE = 512

/** Points in the cells of a square grid, so that a search around a place reads only the points near it. */
export type PointGrid = {
  /** Calls `visit` with each point in the cells that touch a square around (x, y), in no particular order. Lengths are in scene units. */
  visitNear(x: number, y: number, reach: number, visit: (index: number) => void): void
}

/** Sorts points into a grid by x and y. `positions` is [n × 3]; later changes of it are not noticed. */
export const buildPointGrid = (positions: Float32Array): PointGrid => {
  const count = positions.length / 3
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let k = 0; k < positions.length; k += 3) {
    left = Math.min(left, positions[k]!)
    right = Math.max(right, positions[k]!)
    bottom = Math.min(bottom, positions[k + 1]!)
    top = Math.max(top, positions[k + 1]!)
  }
  const side = Math.min(MAX_CELLS_PER_SIDE, Math.max(1, Math.ceil(Math.sqrt(count / POINTS_PER_CELL))))
  const size = Math.max(right - left, top - bottom) / side || 1
  const toCell = (value: number, origin: number) => Math.min(side - 1, Math.max(0, Math.floor((value - origin) / size)))
  const cellOf = (i: number) => toCell(positions[3 * i + 1]!, bottom) * side + toCell(positions[3 * i]!, left)
  // The points of cell c are `members[starts[c]]` to `members[starts[c + 1] - 1]`.
  const starts = new Uint32Array(side * side + 1)
  for (let i = 0; i < count; i++) starts[cellOf(i) + 1]!++
  for (let c = 0; c < side * side; c++) starts[c + 1]! += starts[c]!
  const next = starts.slice()
  const members = new Uint32Array(count)
  for (let i = 0; i < count; i++) members[next[cellOf(i)]!++] = i
  return {
    visitNear(x, y, reach, visit) {
      const [firstRow, lastRow] = [toCell(y - reach, bottom), toCell(y + reach, bottom)]
      const [firstColumn, lastColumn] = [toCell(x - reach, left), toCell(x + reach, left)]
      for (let row = firstRow; row <= lastRow; row++) {
        const end = starts[row * side + lastColumn + 1]!
        for (let k = starts[row * side + firstColumn]!; k < end; k++) visit(members[k]!)
      }
    },
  }
}
