import type { Insets } from "../scene/place-labels.ts"
import { focalLengthPx, type Screen } from "../scene/projection.ts"
import type { ViewSize } from "../scene/renderer.ts"
import { RADIUS } from "../state/model.ts"

/** A camera that looks straight down on the plane, `distance` above (x, y). In scene units. */
export type PlanePose = { readonly x: number; readonly y: number; readonly distance: number }

/** Size of the view and the parts of it that panels cover, in CSS pixels. */
export type PlaneView = ViewSize & { readonly insets: Insets }

type Place = { readonly x: number; readonly y: number }

const MIN_DISTANCE = 1.5
const MAX_DISTANCE = RADIUS * 14
/** The view can be moved this far from the middle of the map, so that the map cannot get lost. */
const MAX_OFFSET = RADIUS * 4
/** A flight covers most of the way in this many seconds. */
const FLIGHT_SMOOTH_S = 0.11
/** A flight ends when this little of the distance to the plane is left, which is less than a pixel. */
const ARRIVED_SHARE = 2e-4

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Limits a pose to distances and places from which the map can be seen. */
export const clampPose = ({ x, y, distance }: PlanePose): PlanePose => ({
  x: clamp(x, -MAX_OFFSET, MAX_OFFSET),
  y: clamp(y, -MAX_OFFSET, MAX_OFFSET),
  distance: clamp(distance, MIN_DISTANCE, MAX_DISTANCE),
})

/** Returns the pixels of a scene unit. */
export const scaleOf = ({ distance }: PlanePose, { height }: PlaneView): number => focalLengthPx(height) / distance

/** Returns the place on the screen below the camera: the middle between the panels. */
export const centerOf = ({ width, height, insets }: PlaneView): Place => ({
  x: (insets.left + width - insets.right) / 2,
  y: (insets.top + height - insets.bottom) / 2,
})

/** Returns the place in the plane that is at a place on the screen. */
export const toPlane = (pose: PlanePose, at: Place, view: PlaneView): Place => {
  const center = centerOf(view)
  const scale = scaleOf(pose, view)
  return { x: pose.x + (at.x - center.x) / scale, y: pose.y - (at.y - center.y) / scale }
}

/** Projects `positions` [n × 3] to the screen. The depth of all points is the distance of the camera. */
export const projectPlane = (positions: Float32Array, pose: PlanePose, view: PlaneView, out: Screen): void => {
  const center = centerOf(view)
  const scale = scaleOf(pose, view)
  for (let i = 0, k = 0; i < out.x.length; i++, k += 3) {
    out.x[i] = center.x + (positions[k]! - pose.x) * scale
    out.y[i] = center.y - (positions[k + 1]! - pose.y) * scale
  }
  out.depth.fill(pose.distance)
}

/** Moves the map by a drag of the pointer. */
export const panBy = (pose: PlanePose, dx: number, dy: number, view: PlaneView): PlanePose => {
  const scale = scaleOf(pose, view)
  return clampPose({ ...pose, x: pose.x - dx / scale, y: pose.y + dy / scale })
}

/**
 * Returns the pose at `factor` times the distance in which the place `anchor` of the plane is at `at` on the screen. A factor below 1
 * zooms in.
 */
export const zoomAt = (pose: PlanePose, factor: number, anchor: Place, at: Place, view: PlaneView): PlanePose => {
  const distance = clamp(pose.distance * factor, MIN_DISTANCE, MAX_DISTANCE)
  const scale = scaleOf({ ...pose, distance }, view)
  const center = centerOf(view)
  return clampPose({ x: anchor.x - (at.x - center.x) / scale, y: anchor.y + (at.y - center.y) / scale, distance })
}

/**
 * Moves the camera towards its destination along a straight line in space, which keeps the point under the pointer in place while the
 * map zooms towards it. Returns the destination itself on arrival.
 */
export const stepTowards = (from: PlanePose, to: PlanePose, seconds: number): PlanePose => {
  const share = 1 - Math.exp(-seconds / FLIGHT_SMOOTH_S)
  const left = (1 - share) * Math.hypot(to.x - from.x, to.y - from.y, to.distance - from.distance)
  if (left < ARRIVED_SHARE * to.distance) return to
  const between = (a: number, b: number) => a + share * (b - a)
  return { x: between(from.x, to.x), y: between(from.y, to.y), distance: between(from.distance, to.distance) }
}

/** Returns position and target of a camera in space that shows the same, as the URL keeps them. */
export const toCamera = ({ x, y, distance }: PlanePose): number[] =>
  [x, y, distance, x, y, 0].map((v) => Math.round(v * 100) / 100)

/** Returns the pose that looks at the target of a camera in space from the same distance. */
export const fromCamera = (camera: readonly number[]): PlanePose => {
  const [px, py, pz, x, y, z] = camera as [number, number, number, number, number, number]
  return clampPose({ x, y, distance: Math.hypot(px - x, py - y, pz - z) })
}
