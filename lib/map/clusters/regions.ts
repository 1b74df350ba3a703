/** A part of the map's space: which points lie in it, the one nearest to its middle, and how far it reaches. */
export type Regions = {
  readonly regionOf: Int32Array
  readonly anchors: Int32Array
  readonly sizes: Int32Array
  /** Root mean square distance of the points from their middle, in the layout's units. */
  readonly radii: Float32Array
}

const ROUNDS = 12
/** Points among which the first middles are looked for. */
const SAMPLE = 2000

/**
 * Parts a layout into k regions by k-means, from middles that lie as far apart as they can (Gonzalez 1985): what a reader
 * of the map sees as its lands. Deterministic.
 *
 * @param coords n × 3.
 */
export const regionsOf = (coords: ArrayLike<number>, n: number, k: number): Regions => {
  const middles = firstMiddles(coords, n, Math.min(k, n))
  const count = middles.length / 3
  const regionOf = new Int32Array(n)
  for (let round = 0; round < ROUNDS; round++) {
    assign(coords, middles, regionOf)
    recentre(coords, middles, regionOf)
  }
  assign(coords, middles, regionOf)
  const anchors = new Int32Array(count).fill(-1)
  const sizes = new Int32Array(count)
  const radii = new Float32Array(count)
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < n; i++) {
    const region = regionOf[i]!
    const d = squared(coords, i, middles, region)
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

const squared = (coords: ArrayLike<number>, i: number, middles: ArrayLike<number>, m: number): number =>
  (coords[3 * i]! - middles[3 * m]!) ** 2 +
  (coords[3 * i + 1]! - middles[3 * m + 1]!) ** 2 +
  (coords[3 * i + 2]! - middles[3 * m + 2]!) ** 2

const firstMiddles = (coords: ArrayLike<number>, n: number, k: number): Float64Array => {
  const step = Math.max(1, n / SAMPLE)
  const some = Array.from({ length: Math.min(n, SAMPLE) }, (_, i) => Math.floor(i * step))
  const away = new Float64Array(some.length).fill(Number.POSITIVE_INFINITY)
  const middles = new Float64Array(3 * k)
  let next = 0
  for (let m = 0; m < k; m++) {
    for (let c = 0; c < 3; c++) middles[3 * m + c] = coords[3 * some[next]! + c]!
    some.forEach((i, s) => {
      away[s] = Math.min(away[s]!, squared(coords, i, middles, m))
    })
    next = away.reduce((best, d, s) => (d > away[best]! ? s : best), 0)
    // All that is left lies at a middle already.
    if (away[next] === 0) return middles.slice(0, 3 * (m + 1))
  }
  return middles
}

const assign = (coords: ArrayLike<number>, middles: Float64Array, regionOf: Int32Array): void => {
  for (let i = 0; i < regionOf.length; i++) {
    let best = Number.POSITIVE_INFINITY
    for (let m = 0; 3 * m < middles.length; m++) {
      const d = squared(coords, i, middles, m)
      if (d < best) {
        best = d
        regionOf[i] = m
      }
    }
  }
}

const recentre = (coords: ArrayLike<number>, middles: Float64Array, regionOf: Int32Array): void => {
  const sums = new Float64Array(middles.length)
  const counts = new Int32Array(middles.length / 3)
  regionOf.forEach((region, i) => {
    counts[region]!++
    for (let c = 0; c < 3; c++) sums[3 * region + c]! += coords[3 * i + c]!
  })
  counts.forEach((size, m) => {
    for (let c = 0; c < 3 && size > 0; c++) middles[3 * m + c] = sums[3 * m + c]! / size
  })
}
