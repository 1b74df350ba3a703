/** Golden angle, in radians: successive directions never line up. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5))
/** Share of the map's radius between points that would else hide each other. */
const STEP = 0.004
const DECIMALS = 1e5

/**
 * Coordinates of points from those of their rows. The first point of a place keeps it; those that would lie at the very
 * same place follow in a small ball around it, in order, so that each can be seen and none moves when another joins.
 *
 * @param coords rows × 3. @returns points × 3, rounded to five decimals.
 */
export const separateOverlappingPoints = (coords: Float32Array, rowOf: Int32Array): Float64Array => {
  const out = new Float64Array(3 * rowOf.length)
  const taken = new Map<string, number>()
  const step = STEP * (radiusOf(coords) || 1)
  for (let p = 0; p < rowOf.length; p++) {
    const place = coords.subarray(3 * rowOf[p]!, 3 * rowOf[p]! + 3)
    const name = place.join(" ")
    const nth = taken.get(name) ?? 0
    taken.set(name, nth + 1)
    const offset = ballPoint(nth, step)
    for (let c = 0; c < 3; c++) out[3 * p + c] = Math.round((place[c]! + offset[c]!) * DECIMALS) / DECIMALS
  }
  return out
}

/** The n-th point of a ball that grows evenly filled; the 0-th is its centre. */
const ballPoint = (n: number, step: number): [number, number, number] => {
  if (n === 0) return [0, 0, 0]
  const height = 1 - 2 * ((n * 0.618034) % 1)
  const ring = Math.sqrt(1 - height * height)
  const radius = step * Math.cbrt(n)
  return [radius * ring * Math.cos(n * GOLDEN), radius * ring * Math.sin(n * GOLDEN), radius * height]
}

const radiusOf = (coords: Float32Array): number => {
  const n = coords.length / 3
  const mean = [0, 0, 0]
  for (let i = 0; i < coords.length; i++) mean[i % 3]! += coords[i]! / n
  let sum = 0
  for (let i = 0; i < coords.length; i++) sum += (coords[i]! - mean[i % 3]!) ** 2
  return n === 0 ? 0 : Math.sqrt(sum / n)
}
