/** Areas of a layout. */
export type Regions = {
  /** The region of each point. */
  readonly regionOf: Int32Array
  /** The point of each region that is nearest to its centre. */
  readonly anchors: Int32Array
  /** Number of points of each region. */
  readonly sizes: Int32Array
  /** Root mean square distance of the points of each region from its centre, in the layout's units. */
  readonly radii: Float32Array
}

const ITERATIONS = 12
/** Points among which the initial centres are chosen. */
const SAMPLE_POINTS = 2000

/**
 * Divides a layout into at most k regions by k-means. The initial centres are chosen farthest first (Gonzalez 1985).
 * Deterministic. O(n · k).
 *
 * @param coords n × 3
 */
export const computeRegions = (coords: ArrayLike<number>, n: number, k: number): Regions => {
  const centres = chooseInitialCentres(coords, n, Math.min(k, n))
  const count = centres.length / 3
  const regionOf = new Int32Array(n)
  for (let i = 0; i < ITERATIONS; i++) {
    assignPoints(coords, centres, regionOf)
    moveCentres(coords, centres, regionOf)
  }
  assignPoints(coords, centres, regionOf)
  const anchors = new Int32Array(count).fill(-1)
  const sizes = new Int32Array(count)
  const radii = new Float32Array(count)
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < n; i++) {
    const region = regionOf[i]!
    const d = squaredDistance(coords, i, centres, region)
    sizes[region]!++
    radii[region]! += d
    if (d < nearest[region]!) {
      nearest[region] = d
      anchors[region] = i
    }
  }
  for (let r = 0; r < count; r++) radii[r] = Math.sqrt(radii[r]! / Math.max(1, sizes[r]!))
  return { regionOf, anchors, sizes, radii }
}

const squaredDistance = (coords: ArrayLike<number>, i: number, centres: ArrayLike<number>, c: number): number =>
  (coords[3 * i]! - centres[3 * c]!) ** 2 +
  (coords[3 * i + 1]! - centres[3 * c + 1]!) ** 2 +
  (coords[3 * i + 2]! - centres[3 * c + 2]!) ** 2

const chooseInitialCentres = (coords: ArrayLike<number>, n: number, k: number): Float64Array => {
  const step = Math.max(1, n / SAMPLE_POINTS)
  const sample = Array.from({ length: Math.min(n, SAMPLE_POINTS) }, (_, i) => Math.floor(i * step))
  const distances = new Float64Array(sample.length).fill(Number.POSITIVE_INFINITY)
  const centres = new Float64Array(3 * k)
  let next = 0
  for (let c = 0; c < k; c++) {
    for (let axis = 0; axis < 3; axis++) centres[3 * c + axis] = coords[3 * sample[next]! + axis]!
    sample.forEach((i, s) => {
      distances[s] = Math.min(distances[s]!, squaredDistance(coords, i, centres, c))
    })
    next = distances.reduce((best, d, s) => (d > distances[best]! ? s : best), 0)
    // All remaining points coincide with a centre.
    if (distances[next] === 0) return centres.slice(0, 3 * (c + 1))
  }
  return centres
}

const assignPoints = (coords: ArrayLike<number>, centres: Float64Array, regionOf: Int32Array): void => {
  for (let i = 0; i < regionOf.length; i++) {
    let best = Number.POSITIVE_INFINITY
    for (let c = 0; 3 * c < centres.length; c++) {
      const d = squaredDistance(coords, i, centres, c)
      if (d < best) {
        best = d
        regionOf[i] = c
      }
    }
  }
}

const moveCentres = (coords: ArrayLike<number>, centres: Float64Array, regionOf: Int32Array): void => {
  const sums = new Float64Array(centres.length)
  const counts = new Int32Array(centres.length / 3)
  regionOf.forEach((region, i) => {
    counts[region]!++
    for (let axis = 0; axis < 3; axis++) sums[3 * region + axis]! += coords[3 * i + axis]!
  })
  counts.forEach((count, c) => {
    for (let axis = 0; axis < 3 && count > 0; axis++) centres[3 * c + axis] = sums[3 * c + axis]! / count
  })
}
