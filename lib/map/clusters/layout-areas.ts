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
export const divideLayout = (coords: ArrayLike<number>, n: number, k: number): LayoutAreas => {
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

const squaredDistance = (coords: ArrayLike<number>, i: number, centers: ArrayLike<number>, c: number): number =>
  (coords[3 * i]! - centers[3 * c]!) ** 2 +
  (coords[3 * i + 1]! - centers[3 * c + 1]!) ** 2 +
  (coords[3 * i + 2]! - centers[3 * c + 2]!) ** 2

const chooseInitialCenters = (coords: ArrayLike<number>, n: number, k: number): Float64Array => {
  const step = Math.max(1, n / SAMPLE_POINTS)
  const sample = Array.from({ length: Math.min(n, SAMPLE_POINTS) }, (_, i) => Math.floor(i * step))
  const distances = new Float64Array(sample.length).fill(Number.POSITIVE_INFINITY)
  const centers = new Float64Array(3 * k)
  let next = 0
  for (let c = 0; c < k; c++) {
    for (let axis = 0; axis < 3; axis++) centers[3 * c + axis] = coords[3 * sample[next]! + axis]!
    sample.forEach((i, s) => {
      distances[s] = Math.min(distances[s]!, squaredDistance(coords, i, centers, c))
    })
    next = distances.reduce((best, d, s) => (d > distances[best]! ? s : best), 0)
    // All remaining points coincide with a center.
    if (distances[next] === 0) return centers.slice(0, 3 * (c + 1))
  }
  return centers
}

const assignPoints = (coords: ArrayLike<number>, centers: Float64Array, areaOf: Int32Array): void => {
  for (let i = 0; i < areaOf.length; i++) {
    let best = Number.POSITIVE_INFINITY
    for (let c = 0; 3 * c < centers.length; c++) {
      const d = squaredDistance(coords, i, centers, c)
      if (d < best) {
        best = d
        areaOf[i] = c
      }
    }
  }
}

const moveCenters = (coords: ArrayLike<number>, centers: Float64Array, areaOf: Int32Array): void => {
  const sums = new Float64Array(centers.length)
  const counts = new Int32Array(centers.length / 3)
  areaOf.forEach((area, i) => {
    counts[area]!++
    for (let axis = 0; axis < 3; axis++) sums[3 * area + axis]! += coords[3 * i + axis]!
  })
  counts.forEach((count, c) => {
    for (let axis = 0; axis < 3 && count > 0; axis++) centers[3 * c + axis] = sums[3 * c + axis]! / count
  })
}
