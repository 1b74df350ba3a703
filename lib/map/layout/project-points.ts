import { nearestAmong } from "../neighbors/knn.ts"
import type { KnownPlaces, PointSet } from "../types.ts"
import { randomFrom } from "./random.ts"

const ANCHORS = 5
/** Keeps an equal row from taking all the weight, and from a division by zero. */
const CLOSEST = 1e-4
/** Share of the layout's radius by which a new point stands beside what it resembles. */
const ASIDE = 0.01

/**
 * New rows among those that lie already: each goes to the mean of its nearest known rows weighted by inverse distance
 * (Shepard 1968), a little to the side so that it hides none. No known row moves. At least one row must be known.
 *
 * @returns coordinates of all rows, rows × 3. What a new row gets depends on its vector and the known rows only.
 */
export const projectNewPoints = (
  { vectors, dims }: Pick<PointSet, "vectors" | "dims">,
  { coords, known }: KnownPlaces,
) => {
  const out = Float32Array.from(coords)
  const all = Int32Array.from(known.keys())
  const fresh = all.filter((r) => known[r] === 0)
  const laid = all.filter((r) => known[r] === 1)
  if (fresh.length === 0) return out
  const k = Math.min(ANCHORS, laid.length)
  const best = nearestAmong({ vectors, dims, queries: fresh, among: laid, k })
  const aside = ASIDE * (radiusOf(coords, laid) || 1)
  fresh.forEach((row, f) => {
    const at = [0, 0, 0]
    let total = 0
    for (let e = f * k; e < (f + 1) * k; e++) {
      const weight = 1 / (Math.max(0, 1 - best.similarities[e]!) + CLOSEST)
      total += weight
      for (let c = 0; c < 3; c++) at[c]! += weight * coords[3 * laid[best.indices[e]!]! + c]!
    }
    const step = direction(vectors, row, dims)
    for (let c = 0; c < 3; c++) out[3 * row + c] = at[c]! / total + aside * step[c]!
  })
  return out
}

/** Root mean square distance from the centre. */
const radiusOf = (coords: Float32Array, rows: Int32Array): number => {
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

/** A unit vector that depends on the row's content alone. */
const direction = (vectors: Float32Array, row: number, dims: number): [number, number, number] => {
  let mix = 0
  for (let d = row * dims; d < (row + 1) * dims; d++) mix = (Math.imul(mix, 31) + Math.round(vectors[d]! * 1e6)) | 0
  const random = randomFrom(mix)
  const height = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const ring = Math.sqrt(1 - height * height)
  return [ring * Math.cos(angle), ring * Math.sin(angle), height]
}
