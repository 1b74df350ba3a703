/** In radians. Multiples of the golden angle never coincide. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
/** The distance between separated points, as a share of the radius of the map. */
const RELATIVE_DISTANCE = 0.004
const COORDINATE_PRECISION = 1e5

/**
 * Computes the coordinates of points from those of their rows. The first point of a row keeps its coordinates. Further
 * points at exactly the same place are put into a small ball around it, in order, so that each is visible and none moves
 * when another is added.
 * @param coords rows × 3
 * @returns points × 3, rounded to five decimals
 */
export const separateOverlappingPoints = (coords: Float32Array, rowOf: Int32Array): Float64Array => {
  const separated = new Float64Array(3 * rowOf.length)
  const placeOf = findPlaces(coords)
  const counts = new Int32Array(placeOf.length)
  const distance = RELATIVE_DISTANCE * (computeRadius(coords) || 1)
  for (let point = 0; point < rowOf.length; point++) {
    const row = rowOf[point]!
    const offset = computeBallOffset(counts[placeOf[row]!]!++, distance)
    for (let c = 0; c < 3; c++)
      separated[3 * point + c] =
        Math.round((coords[3 * row + c]! + offset[c]!) * COORDINATE_PRECISION) / COORDINATE_PRECISION
  }
  return separated
}

/** Returns the first row at the same place as each row. */
const findPlaces = (coords: Float32Array): Int32Array => {
  const rowsByX = new Map<number, number[]>()
  const places = new Int32Array(coords.length / 3)
  for (let row = 0; row < places.length; row++) {
    const [x, y, z] = [coords[3 * row]!, coords[3 * row + 1]!, coords[3 * row + 2]!]
    const others = rowsByX.get(x)
    const first = others?.find((other) => coords[3 * other + 1] === y && coords[3 * other + 2] === z)
    places[row] = first ?? row
    if (!others) rowsByX.set(x, [row])
    else if (first === undefined) others.push(row)
  }
  return places
}

/** Returns the n-th point of an evenly filled ball that grows with n. The 0th point is its center. */
const computeBallOffset = (n: number, distance: number): [number, number, number] => {
  if (n === 0) return [0, 0, 0]
  const height = 1 - 2 * ((n * 0.618034) % 1)
  const ring = Math.sqrt(1 - height * height)
  const radius = distance * Math.cbrt(n)
  return [radius * ring * Math.cos(n * GOLDEN_ANGLE), radius * ring * Math.sin(n * GOLDEN_ANGLE), radius * height]
}

/** Returns the root mean square distance of the rows from their center. */
const computeRadius = (coords: Float32Array): number => {
  const n = coords.length / 3
  const mean = [0, 0, 0]
  for (let i = 0; i < coords.length; i++) mean[i % 3]! += coords[i]! / n
  let sum = 0
  for (let i = 0; i < coords.length; i++) sum += (coords[i]! - mean[i % 3]!) ** 2
  return n === 0 ? 0 : Math.sqrt(sum / n)
}
