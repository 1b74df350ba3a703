import points from "./sample-points.json" with { type: "json" }

export type SamplePoint = (typeof points)[number]
/** A point of the sample on a picture of 400 × 300. `depth` is 0 for the farthest and 1 for the nearest point. */
export type SamplePlace = {
  readonly point: SamplePoint
  readonly x: number
  readonly y: number
  readonly depth: number
}

const WIDTH = 400
const HEIGHT = 300
/** The share of the picture that the points take, so that labels fit beside them. */
const FILL = 0.36
const TILT = 0.35

const meanOf = (axis: number): number => points.reduce((sum, { place }) => sum + place[axis]!, 0) / points.length
const CENTER = [0, 1, 2].map(meanOf)
const RADIUS = Math.max(...points.map(({ place }) => Math.hypot(...place.map((value, axis) => value - CENTER[axis]!))))

/** Projects the points from a camera that has gone around them by an angle in radians. */
export const projectSample = (angle: number): SamplePlace[] =>
  points.map((point) => {
    const [x, y, z] = point.place.map((value, axis) => (value - CENTER[axis]!) / RADIUS) as [number, number, number]
    const [across, toward] = [x * Math.cos(angle) + z * Math.sin(angle), z * Math.cos(angle) - x * Math.sin(angle)]
    const up = y * Math.cos(TILT) - toward * Math.sin(TILT)
    return {
      point,
      x: WIDTH / 2 + across * FILL * WIDTH * 0.75,
      y: HEIGHT / 2 - up * FILL * HEIGHT,
      depth: (toward + 1) / 2,
    }
  })
