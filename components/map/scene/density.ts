import { type MapModel, RADIUS } from "../state/model.ts"
import type { HazeLook } from "./look.ts"

/** A sample of the points suffices to estimate their density. */
const MAX_SAMPLED_POINTS = 3000

/** Returns the points whose density is drawn, evenly spaced by index. Whole recordings lie between their topics. */
const samplePoints = ({ levels, count }: MapModel): Uint32Array => {
  const topics = [...Array(count).keys()].filter((i) => levels[i]! > 1)
  const points = topics.length > 0 ? topics : [...Array(count).keys()]
  const step = Math.max(1, Math.ceil(points.length / MAX_SAMPLED_POINTS))
  return Uint32Array.from(points.filter((_, k) => k % step === 0))
}

/** Returns the radius of the kernel of the density estimate in scene units. */
const kernelRadius = (points: number, { kernel }: HazeLook): number =>
  kernel * Math.min(1.6, Math.max(0.5, 2.8 * points ** -0.2))

/**
 * How the density of the points is estimated: a kernel around each sampled point, with a radius in scene units and a weight. The
 * mean number of kernels that overlap depends on neither the number of points nor the size of the kernel.
 */
export const estimateDensity = (model: MapModel, look: HazeLook) => {
  const sample = samplePoints(model)
  const kernel = kernelRadius(sample.length, look)
  const weight = (look.gain * 2 * RADIUS ** 2) / (Math.max(1, sample.length) * kernel ** 2)
  return { sample, kernel, weight }
}
