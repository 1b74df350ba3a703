import type { KnownPlaces } from "../types.ts"
import { orthogonalPart } from "./orthogonal.ts"

/** With fewer common points a turn and a scale mean nothing. */
const MIN_COMMON = 4

/**
 * A new layout turned, mirrored, scaled and shifted so that the rows known from the old one lie as near to their old
 * places as they can, in the sense of least squares (Umeyama 1991, with reflections allowed). UMAP has no up and no
 * left: without this every refit would throw the map about. Too few known rows: the layout as it is.
 *
 * @param coords rows × 3, left alone.
 */
export const alignLayout = (coords: Float32Array, { coords: old, known }: KnownPlaces): Float32Array => {
  const common = Int32Array.from(known.keys()).filter((r) => known[r] === 1)
  if (common.length < MIN_COMMON) return coords
  const from = centreOf(coords, common)
  const to = centreOf(old, common)
  const cross = Array.from({ length: 3 }, () => [0, 0, 0])
  let spread = 0
  for (const r of common)
    for (let a = 0; a < 3; a++) {
      const x = coords[3 * r + a]! - from[a]!
      spread += x * x
      for (let b = 0; b < 3; b++) cross[a]![b]! += x * (old[3 * r + b]! - to[b]!)
    }
  const { turn, gain } = orthogonalPart(cross)
  // Either side fallen into one point gives no measure to go by.
  const scale = spread > 0 && gain > 1e-9 * spread ? gain / spread : 1
  const out = new Float32Array(coords.length)
  for (let i = 0; i < coords.length; i += 3)
    for (let b = 0; b < 3; b++) {
      let sum = 0
      for (let a = 0; a < 3; a++) sum += (coords[i + a]! - from[a]!) * turn[a]![b]!
      out[i + b] = scale * sum + to[b]!
    }
  return out
}

const centreOf = (coords: Float32Array, rows: Int32Array): number[] => {
  const centre = [0, 0, 0]
  for (const r of rows) for (let c = 0; c < 3; c++) centre[c]! += coords[3 * r + c]! / rows.length
  return centre
}
