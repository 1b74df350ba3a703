import type { Coloring } from "../state/coloring.ts"
import type { MapModel } from "../state/model.ts"
import type { View } from "../state/store.ts"
import type { Insets } from "./place-labels.ts"
import { focalLengthPx } from "./projection.ts"

export type Vector = readonly [number, number, number]

/** The point to look at and the distance of the camera from it, in scene units. */
export type Framing = { readonly center: Vector; readonly distance: number }
export type Lens = { readonly width: number; readonly height: number; readonly insets: Insets }

const MIN_DISTANCE = 9
/** Share of points that may lie outside the frame, so that a few distant points do not shrink the rest. */
const OUTLIER_SHARE = 0.03
/** With fewer points than this, none may lie outside. */
const MIN_POINTS_FOR_OUTLIERS = 200
/** Space in pixels for a disc and a short label around the outermost points. A narrow view has little to spare. */
const MARGIN_PX = { x: 64, y: 36 }
const NARROW_VIEW_PX = 600
const NARROW_MARGIN_X_PX = 18
const MIN_HALF_VIEW_PX = 60
/** Points to sample when looking for the first direction, and when framing the whole map. */
const DIRECTION_SAMPLE = 400
const FRAMING_SAMPLE = 4000
/** With fewer topics than this the whole map stays in view, also when flying to a topic. */
const MIN_TOPICS_TO_ZOOM = 40

const positionOf = ({ positions }: MapModel, i: number): Vector => [
  positions[3 * i]!,
  positions[3 * i + 1]!,
  positions[3 * i + 2]!,
]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const toUnit = (v: Vector): Vector => {
  const length = Math.hypot(...v)
  return [v[0] / length, v[1] / length, v[2] / length]
}
const sortAscending = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** Returns at most `max` points, evenly spaced by index. */
const samplePoints = (model: MapModel, max: number): number[] => {
  const step = Math.max(1, Math.ceil(model.count / max))
  return Array.from({ length: Math.ceil(model.count / step) }, (_, k) => k * step)
}

const outlierShare = (count: number): number => (count < MIN_POINTS_FOR_OUTLIERS ? 0 : OUTLIER_SHARE)

/** Returns the middle of the range of the values without outliers. */
const trimmedMidrange = (values: readonly number[]): number => {
  const sorted = sortAscending(values)
  const cut = Math.floor(((sorted.length - 1) * outlierShare(sorted.length)) / 2)
  return ((sorted[cut] ?? 0) + (sorted[sorted.length - 1 - cut] ?? 0)) / 2
}

/** Fits points into the part of the view between the insets. `direction` is a unit vector from the points to the camera. */
const fitPoints = (model: MapModel, indices: readonly number[], direction: Vector, lens: Lens): Framing => {
  const right = toUnit(cross([0, 1, 0], direction))
  const up = cross(direction, right)
  const axes = [right, up, direction]
  const coordinates = indices.map((i) => positionOf(model, i)).map((p) => axes.map((axis) => dot(p, axis)))
  const middle = axes.map((_, k) => trimmedMidrange(coordinates.map((p) => p[k]!)))
  const at = (c: 0 | 1 | 2) => axes.reduce((sum, axis, k) => sum + axis[c] * middle[k]!, 0)
  const center: Vector = [at(0), at(1), at(2)]
  const { insets } = lens
  const freeWidth = lens.width - insets.left - insets.right
  const freeHeight = lens.height - insets.top - insets.bottom
  const marginX = freeWidth < NARROW_VIEW_PX ? NARROW_MARGIN_X_PX : MARGIN_PX.x
  const halfWidth = Math.max(MIN_HALF_VIEW_PX, freeWidth / 2 - marginX)
  const halfHeight = Math.max(MIN_HALF_VIEW_PX, freeHeight / 2 - MARGIN_PX.y)
  const focal = focalLengthPx(lens.height)
  // The distance at which each disc touches the edge of the uncovered part. Points nearer to the camera need more.
  const distances = coordinates.map(([x, y, z], i) => {
    const radius = model.radii[indices[i]!]!
    const dx = Math.abs(x! - middle[0]!) + radius
    const dy = Math.abs(y! - middle[1]!) + radius
    return z! - middle[2]! + focal * Math.max(dx / halfWidth, dy / halfHeight)
  })
  const last = Math.ceil((distances.length - 1) * (1 - outlierShare(distances.length)))
  return { center, distance: Math.max(MIN_DISTANCE, sortAscending(distances)[last] ?? MIN_DISTANCE) }
}

/** Slightly from above, so that the depth of the map is visible. */
const DEFAULT_DIRECTION = toUnit([0.5, 0.42, 1])

/**
 * Returns the direction from which to show the map first. In a portrait view this is the one from which the points fill
 * the view best; a wide map would otherwise use only a strip of it.
 */
export const pickFirstDirection = (model: MapModel, lens: Lens): Vector => {
  if (lens.width >= lens.height) return DEFAULT_DIRECTION
  const sample = samplePoints(model, DIRECTION_SAMPLE)
  const azimuths = Array.from({ length: 12 }, (_, k) => (k * Math.PI) / 6)
  const directions = [0.15, 0.4, 0.65, 0.9].flatMap((elevation) =>
    azimuths.map(
      (azimuth): Vector => [
        Math.cos(elevation) * Math.sin(azimuth),
        Math.sin(elevation),
        Math.cos(elevation) * Math.cos(azimuth),
      ],
    ),
  )
  const distances = directions.map((direction) => fitPoints(model, sample, direction, lens).distance)
  return directions[distances.indexOf(Math.min(...distances))] ?? DEFAULT_DIRECTION
}

/** Returns the points of the recording or group that a view shows, or null for another view. */
const listViewedPoints = (model: MapModel, view: View, coloring: Coloring): number[] | null => {
  if (view.to !== "clip" && view.to !== "group") return null
  const { ids } = model.groupings[view.to === "clip" ? "clip" : coloring]
  return [...ids.keys()].filter((i) => ids[i] === view.index)
}

type Request = { readonly view: View; readonly coloring: Coloring }

/** Returns the framing for a view request, seen from `direction`. `distance` is the current one. */
export const frameView = (
  model: MapModel,
  { view, coloring }: Request,
  direction: Vector,
  distance: number,
  lens: Lens,
): Framing => {
  const viewed = listViewedPoints(model, view, coloring)
  if (viewed && viewed.length > 0) return fitPoints(model, viewed, direction, lens)
  const whole = fitPoints(model, samplePoints(model, FRAMING_SAMPLE), direction, lens)
  if (view.to !== "point" || view.index < 0 || model.count < MIN_TOPICS_TO_ZOOM) return whole
  // Close enough to read the neighborhood, and never farther away than the camera already is.
  return {
    center: positionOf(model, view.index),
    distance: Math.min(distance, Math.max(MIN_DISTANCE, whole.distance * 0.55)),
  }
}
