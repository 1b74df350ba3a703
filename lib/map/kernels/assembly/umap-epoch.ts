// One epoch of UMAP's layout optimization in three dimensions (McInnes, Healy and Melville 2018, section 3.2).

/** The curve 1 / (1 + A · d^2B) of membership over distance, as umap-learn fits it for min_dist 0.1 and spread 1. */
const A: f64 = 1.5769434603113077
const B: f64 = 0.8950608779109733
/**
 * Negative samples per update. The neighbor and three samples fill a register. Together they weigh as much as 24 samples
 * of umap-learn, which draws five: stronger repulsion keeps unrelated points apart that share the little space of three
 * dimensions, and costs no time.
 */
const SAMPLES: f64 = 3
const SAMPLE_WEIGHT: f64 = 24
/** Limit of one step in each dimension. */
const MAX_STEP: f32 = 4

const ATTRACTION: f32 = <f32>(-2 * A * B)
const REPULSION: f32 = <f32>((2 * B * SAMPLE_WEIGHT) / SAMPLES)

/**
 * The bits of 1.0 as a float32, minus a correction that minimizes the mean error of reading the bits of a float as its
 * logarithm (Schraudolph, "A fast, compact approximation of the exponential function", 1999).
 */
const LOG_OF_ONE: i32 = 1_064_866_805

/** Address of the state of the random numbers: four int32, one per lane, none of them zero. */
const RANDOM_STATE: usize = 0
/** A point is x, y, z and a zero (float32): 2^4 bytes. */
const POINT_SHIFT: i32 = 4
/** A link is the addresses of its two points, the epoch of its next update, and the number of epochs between updates. */
const LINK_BYTES: usize = 16
const LINK_TAIL: usize = 4
const LINK_NEXT_EPOCH: usize = 8
const LINK_PERIOD: usize = 12

/**
 * Updates every link that is due in this epoch: moves its two points towards each other and each of them away from
 * random points. Each end is updated in turn. The four lanes of a register are the four points that act on it: lane 0
 * the other end, lanes 1 to 3 the negative samples.
 *
 * @param links address of the links
 * @param linksEnd address after the last link
 * @param points address of the points
 * @param epoch number of this epoch
 * @param rate learning rate
 * @param pointsPerRandom number of points divided by 2^24, the number of different random numbers
 * @param lastPoint number of points minus one
 */
export function runEpoch(
  links: usize,
  linksEnd: usize,
  points: usize,
  epoch: f32,
  rate: f32,
  pointsPerRandom: f32,
  lastPoint: i32,
): void {
  let random = v128.load(RANDOM_STATE)
  const rates = f32x4.splat(rate)
  const scale = f32x4.splat(pointsPerRandom)
  const last = i32x4.splat(lastPoint)
  for (let link = links; link < linksEnd; link += LINK_BYTES) {
    const nextEpoch = load<f32>(link, LINK_NEXT_EPOCH)
    if (nextEpoch > epoch) continue
    store<f32>(link, nextEpoch + load<f32>(link, LINK_PERIOD), LINK_NEXT_EPOCH)
    const head: usize = load<u32>(link)
    let moved = head
    let other: usize = load<u32>(link, LINK_TAIL)
    do {
      // Random numbers by xorshift32 (Marsaglia 2003), of which the upper 24 bits select a point. Lane 0 is not used.
      random = v128.xor(random, i32x4.shl(random, 13))
      random = v128.xor(random, i32x4.shr_u(random, 17))
      random = v128.xor(random, i32x4.shl(random, 5))
      const fraction = f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_u(random, 8)), scale)
      const sample = i32x4.shl(i32x4.min_s(i32x4.trunc_sat_f32x4_s(fraction), last), POINT_SHIFT)

      // Differences to the four points, transposed to x, y and z of all four.
      const own = v128.load(moved)
      const d0 = f32x4.sub(own, v128.load(other))
      const d1 = f32x4.sub(own, v128.load(points + i32x4.extract_lane(sample, 1)))
      const d2 = f32x4.sub(own, v128.load(points + i32x4.extract_lane(sample, 2)))
      const d3 = f32x4.sub(own, v128.load(points + i32x4.extract_lane(sample, 3)))
      const xy01 = v128.shuffle<f32>(d0, d1, 0, 4, 1, 5)
      const xy23 = v128.shuffle<f32>(d2, d3, 0, 4, 1, 5)
      const z01 = v128.shuffle<f32>(d0, d1, 2, 6, 2, 6)
      const z23 = v128.shuffle<f32>(d2, d3, 2, 6, 2, 6)
      let x = v128.shuffle<f32>(xy01, xy23, 0, 1, 4, 5)
      let y = v128.shuffle<f32>(xy01, xy23, 2, 3, 6, 7)
      let z = v128.shuffle<f32>(z01, z23, 0, 1, 4, 5)

      // The gradient divided by the difference: −2AB·d^2(B−1) / (1 + A·d^2B) of the other end, and
      // 2B / ((0.001 + d²)(1 + A·d^2B)) of a sample. The power d^2B is computed on the bits of the float, with an
      // error of up to 2 %.
      const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z))
      const logarithm = f32x4.convert_i32x4_s(i32x4.sub(square, i32x4.splat(LOG_OF_ONE)))
      const power = i32x4.add(
        i32x4.trunc_sat_f32x4_s(f32x4.mul(logarithm, f32x4.splat(<f32>B))),
        i32x4.splat(LOG_OF_ONE),
      )
      const gradient = f32x4.div(
        f32x4.add(f32x4.mul(f32x4(ATTRACTION, 0, 0, 0), power), f32x4(0, REPULSION, REPULSION, REPULSION)),
        f32x4.mul(
          f32x4.add(square, f32x4(1e-12, 0.001, 0.001, 0.001)),
          f32x4.add(f32x4.splat(1), f32x4.mul(f32x4.splat(<f32>A), power)),
        ),
      )
      x = limitStep(rates, f32x4.mul(x, gradient))
      y = limitStep(rates, f32x4.mul(y, gradient))
      z = limitStep(rates, f32x4.mul(z, gradient))

      // Transposed back. The sum of all four lanes moves this end, lane 0 alone the other one.
      const back01 = v128.shuffle<f32>(x, y, 0, 4, 1, 5)
      const back23 = v128.shuffle<f32>(x, y, 2, 6, 3, 7)
      const backZ01 = v128.shuffle<f32>(z, f32x4.splat(0), 0, 4, 1, 5)
      const backZ23 = v128.shuffle<f32>(z, f32x4.splat(0), 2, 6, 3, 7)
      const sumXY = f32x4.add(back01, back23)
      const sumZ = f32x4.add(backZ01, backZ23)
      v128.store(other, f32x4.sub(v128.load(other), v128.shuffle<f32>(back01, backZ01, 0, 1, 4, 5)))
      const sum = f32x4.add(v128.shuffle<f32>(sumXY, sumZ, 0, 1, 4, 5), v128.shuffle<f32>(sumXY, sumZ, 2, 3, 6, 7))
      v128.store(moved, f32x4.add(own, sum))

      const end = moved
      moved = other
      other = end
    } while (moved !== head)
  }
  v128.store(RANDOM_STATE, random)
}

/** Limits four steps to ±MAX_STEP and scales them by the learning rate. */
function limitStep(rates: v128, step: v128): v128 {
  return f32x4.mul(rates, f32x4.pmin(f32x4.pmax(step, f32x4.splat(-MAX_STEP)), f32x4.splat(MAX_STEP)))
}
