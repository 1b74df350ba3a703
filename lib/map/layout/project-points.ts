import { findNearestTargets } from "../neighbors/nearest-targets.ts"
import type { PartialLayout, PointSet } from "../types.ts"
import { randomFrom } from "./random.ts"

/** Known neighbors that determine the position of a new row. */
const ANCHORS = 5
/** Added to distances, so that a neighbor at distance 0 neither takes all the weight nor causes a division by zero. */
const DISTANCE_OFFSET = 1e-4
/** The offset of a new row from the mean of its neighbors, as a share of the layout's radius. */
const OFFSET_SHARE = 0.01

/**
 * Places new rows in an existing layout. Each new row moves to the mean of its nearest known rows, weighted by inverse
 * distance (Shepard 1968), and a little to the side so that it hides none of them. Known rows keep their position. The
 * position of a new row depends only on its vector and on the known rows. O(new · known · dims).
 *
 * @param previous the existing layout, with at least one known row
 * @returns coordinates of all rows, rows × 3
 */
export const projectNewPoints = (
  { vectors, dims }: Pick<PointSet, "vectors" | "dims">,
  { coords, known }: PartialLayout,
) => {
  const out = Float32Array.from(coords)
  const rows = Int32Array.from(known.keys())
  const newRows = rows.filter((r) => known[r] === 0)
  const knownRows = rows.filter((r) => known[r] === 1)
  if (newRows.length === 0) return out
  const k = Math.min(ANCHORS, knownRows.length)
  const anchors = findNearestTargets({ vectors, dims, queries: newRows, targets: knownRows, k })
  const offset = OFFSET_SHARE * (computeRadius(coords, knownRows) || 1)
  newRows.forEach((row, q) => {
    const sum = [0, 0, 0]
    let totalWeight = 0
    for (let e = q * k; e < (q + 1) * k; e++) {
      const weight = 1 / (Math.max(0, 1 - anchors.similarities[e]!) + DISTANCE_OFFSET)
      totalWeight += weight
      for (let c = 0; c < 3; c++) sum[c]! += weight * coords[3 * knownRows[anchors.indices[e]!]! + c]!
    }
    const direction = directionFromContent(vectors, row, dims)
    for (let c = 0; c < 3; c++) out[3 * row + c] = sum[c]! / totalWeight + offset * direction[c]!
  })
  return out
}

/** Computes the root mean square distance of rows from their mean. */
const computeRadius = (coords: Float32Array, rows: Int32Array): number => {
  let variance = 0
  for (let c = 0; c < 3; c++) {
    let sum = 0
    let squares = 0
    for (const r of rows) {
      sum += coords[3 * r + c]!
      squares += coords[3 * r + c]! ** 2
    }
    variance += Math.max(0, squares / rows.length - (sum / rows.length) ** 2)
  }
  return Math.sqrt(variance)
}

/** Returns a random unit vector that is always the same for the same vector. */
const directionFromContent = (vectors: Float32Array, row: number, dims: number): [number, number, number] => {
  let hash = 0
  for (let d = row * dims; d < (row + 1) * dims; d++) hash = (Math.imul(hash, 31) + Math.round(vectors[d]! * 1e6)) | 0
  const random = randomFrom(hash)
  const height = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const radius = Math.sqrt(1 - height * height)
  return [radius * Math.cos(angle), radius * Math.sin(angle), height]
}
