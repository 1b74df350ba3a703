/** The kernel has this many texels in its radius, unless the map would become larger than `MAX_TEXELS`. */
const TEXELS_PER_KERNEL = 12
const MAX_TEXELS = 420
/** The densities at which the haze gets stronger, and half the width of each step. As in the fragment shader of the ground. */
const STEPS = [0.12, 0.32, 0.54, 0.76]
const STEP_WIDTH = 0.03

/** The density of the points by color in the plane. */
export type DensityMap = {
  readonly width: number
  readonly height: number
  /** The place of the first texel's corner and the size of a texel, in scene units. Rows go downwards. */
  readonly left: number
  readonly top: number
  readonly texel: number
  /** [height × width × 4]: the sums of the weighted colors, and of the weights. */
  readonly sums: Float32Array
}

type DensityInput = {
  /** [n × 3] */
  readonly positions: Float32Array
  /** The points to add. */
  readonly sample: Uint32Array
  /** Four bytes per point, the last of them 0 for points that do not count. */
  readonly colors: Uint8Array
  /** In scene units. */
  readonly kernel: number
  readonly weight: number
}

/** Adds a kernel for each sampled point, as the shaders of the haze do. */
export const computeDensity = ({ positions, sample, colors, kernel, weight }: DensityInput): DensityMap => {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const i of sample) {
    left = Math.min(left, positions[3 * i]!)
    right = Math.max(right, positions[3 * i]!)
    bottom = Math.min(bottom, positions[3 * i + 1]!)
    top = Math.max(top, positions[3 * i + 1]!)
  }
  if (sample.length === 0) [left, right, bottom, top] = [0, 0, 0, 0]
  const span = Math.max(right - left, top - bottom) + 2 * kernel
  const texel = Math.max(kernel / TEXELS_PER_KERNEL, span / MAX_TEXELS)
  const [width, height] = [right - left, top - bottom].map((side) => Math.ceil((side + 2 * kernel) / texel)) as [
    number,
    number,
  ]
  const [x0, y0] = [left - kernel, top + kernel]
  const sums = new Float32Array(width * height * 4)
  const radius = kernel / texel
  for (const i of sample) {
    if (colors[4 * i + 3] === 0) continue
    const [red, green, blue] = [colors[4 * i]!, colors[4 * i + 1]!, colors[4 * i + 2]!]
    // In texels, from the middle of the first one.
    const x = (positions[3 * i]! - x0) / texel - 0.5
    const y = (y0 - positions[3 * i + 1]!) / texel - 0.5
    const lastRow = Math.min(height - 1, Math.floor(y + radius))
    const lastColumn = Math.min(width - 1, Math.floor(x + radius))
    for (let row = Math.max(0, Math.ceil(y - radius)); row <= lastRow; row++)
      for (let column = Math.max(0, Math.ceil(x - radius)); column <= lastColumn; column++) {
        const t = 1 - ((row - y) ** 2 + (column - x) ** 2) / radius ** 2
        if (t <= 0) continue
        const share = weight * t * t
        const k = 4 * (row * width + column)
        sums[k]! += share * red
        sums[k + 1]! += share * green
        sums[k + 2]! += share * blue
        sums[k + 3]! += share
      }
  }
  return { width, height, left: x0, top: y0, texel, sums }
}

const smoothStep = (from: number, to: number, value: number): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)))
  return t * t * (3 - 2 * t)
}

/** Returns how strong the haze is where the weights have this sum, between 0 and 1. `contour` is the share of the steps in it. */
export const hazeShare = (sum: number, contour: number): number => {
  const density = 1 - Math.exp(-sum)
  const steps = STEPS.reduce((total, at) => total + smoothStep(at - STEP_WIDTH, at + STEP_WIDTH, density), 0)
  return density + contour * (steps / STEPS.length - density)
}

/** Returns the haze as pixels [height × width × 4] whose opacity is at most `strength`. */
export const paintHaze = (
  { sums, width, height }: DensityMap,
  strength: number,
  contour: number,
): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let k = 0; k < sums.length; k += 4) {
    const sum = sums[k + 3]!
    if (sum === 0) continue
    for (let c = 0; c < 3; c++) pixels[k + c] = sums[k + c]! / sum
    pixels[k + 3] = 255 * strength * hazeShare(sum, contour)
  }
  return pixels
}
