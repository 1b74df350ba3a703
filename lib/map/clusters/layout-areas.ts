/** Areas of a layout. */
export type LayoutAreas = {
  /** The area of each point. */
  readonly areaOf: Int32Array
  /** The point of each area that is nearest to its center. */
  readonly anchors: Int32Array
  /** The number of points of each area. */
  readonly sizes: Int32Array
}

const ITERATIONS = 12
/** Points among which the initial centers are chosen. */
const SAMPLE_POINTS = 2000

/**
 * Divides a layout into at most k areas by k-means. The initial centers are chosen farthest first (Gonzalez 1985).
 * Deterministic. O(n · k).
 *
 * @param coords n × 3
 */
export const divideLayout = (coords: Float64Array, n: number, k: number): LayoutAreas => {
  const centers = chooseInitialCenters(coords, n, Math.min(k, n))
  const count = centers.length / 3
  const areaOf = new Int32Array(n)
  for (let i = 0; i < ITERATIONS; i++) {
    assignPoints(coords, centers, areaOf)
    moveCenters(coords, centers, areaOf)
  }
  assignPoints(coords, centers, areaOf)
  const anchors = new Int32Array(count).fill(-1)
  const sizes = new Int32Array(count)
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < n; i++) {
    const area = areaOf[i]!
    const d = squaredDistance(coords, i, centers, area)
    sizes[area]!++
    if (d < nearest[area]!) {
      nearest[area] = d
      anchors[area] = i
    }
  }
  return { areaOf, anchors, sizes }
}

const squaredDistance = (coords: Float64Array, i: number, centers: Float64Array, c: number): number => {
  const x = coords[3 * i]! - centers[3 * c]!
  const y = coords[3 * i + 1]! - centers[3 * c + 1]!
  const z = coords[3 * i + 2]! - centers[3 * c + 2]!
  return x * x + y * y + z * z
}

const chooseInitialCenters = (coords: Float64Array, n: number, k: number): Float64Array => {
  const step = Math.max(1, n / SAMPLE_POINTS)
  const sample = Int32Array.from({ length: Math.min(n, SAMPLE_POINTS) }, (_, i) => Math.floor(i * step))
  const distances = new Float64Array(sample.length).fill(Number.POSITIVE_INFINITY)
  const centers = new Float64Array(3 * k)
  let next = 0
  for (let c = 0; c < k; c++) {
    for (let axis = 0; axis < 3; axis++) centers[3 * c + axis] = coords[3 * sample[next]! + axis]!
    next = 0
    for (let s = 0; s < sample.length; s++) {
      distances[s] = Math.min(distances[s]!, squaredDistance(coords, sample[s]!, centers, c))
      if (distances[s]! > distances[next]!) next = s
    }
    // All remaining points coincide with a center.
    if (distances[next] === 0) return centers.slice(0, 3 * (c + 1))
  }
  return centers
}

/** Assigns each point to the nearest center, the first one of equally near ones. Takes most of the time. */
const assignPoints = (coords: Float64Array, centers: Float64Array, areaOf: Int32Array): void => {
  for (let i = 0; i < areaOf.length; i++) {
    const [x, y, z] = [coords[3 * i]!, coords[3 * i + 1]!, coords[3 * i + 2]!]
    let best = Number.POSITIVE_INFINITY
    let nearest = 0
    for (let c = 0; c < centers.length; c += 3) {
      const dx = x - centers[c]!
      const dy = y - centers[c + 1]!
      const dz = z - centers[c + 2]!
      const d = dx * dx + dy * dy + dz * dz
      if (d < best) {
        best = d
        nearest = c
      }
    }
    areaOf[i] = nearest / 3
  }
}

const moveCenters = (coords: Float64Array, centers: Float64Array, areaOf: Int32Array): void => {
  const sums = new Float64Array(centers.length)
  const counts = new Int32Array(centers.length / 3)
  for (let i = 0; i < areaOf.length; i++) {
    const area = areaOf[i]!
    counts[area]!++
    for (let axis = 0; axis < 3; axis++) sums[3 * area + axis]! += coords[3 * i + axis]!
  }
  for (let c = 0; c < counts.length; c++)
    if (counts[c]! > 0) for (let axis = 0; axis < 3; axis++) centers[3 * c + axis] = sums[3 * c + axis]! / counts[c]!
}
