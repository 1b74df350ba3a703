import { Vector3 } from "three"
import type { MapModel } from "../model.ts"
import type { View } from "../store.ts"
import type { Insets } from "./place-labels.ts"

/** Where the eye looks and how far from there it stands, in the scene's units. */
export type Frame = { readonly centre: Vector3; readonly distance: number }
export type Lens = { readonly fov: number; readonly width: number; readonly height: number; readonly insets: Insets }

const NEAREST = 9
/** Share of the points at each border that may stick out: a few far ones must not shrink the rest. */
const OUT = 0.015
const MARGIN = 1.12

const at = (model: MapModel, i: number) => new Vector3().fromArray(model.positions, i * 3)

const spread = (values: number[]): { middle: number; low: number; high: number } => {
  const sorted = values.sort((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) * OUT)] ?? 0
  const high = sorted[Math.ceil((sorted.length - 1) * (1 - OUT))] ?? 0
  return { middle: (low + high) / 2, low, high }
}

/**
 * The frame in which the given points fill the part of the view that no panel covers, seen from `direction` (a unit
 * vector from them to the eye).
 */
const fill = (model: MapModel, indices: readonly number[], direction: Vector3, lens: Lens): Frame => {
  const right = new Vector3(0, 1, 0).cross(direction).normalize()
  const up = direction.clone().cross(right)
  const places = indices.map((i) => at(model, i))
  const axes = [right, up, direction].map((axis) => ({ axis, ...spread(places.map((p) => p.dot(axis))) }))
  const centre = new Vector3()
  for (const { axis, middle } of axes) centre.addScaledVector(axis, middle)
  const free = {
    x: Math.max(140, lens.width - lens.insets.left - lens.insets.right),
    y: Math.max(140, lens.height - lens.insets.top - lens.insets.bottom),
  }
  const slope = Math.tan((lens.fov * Math.PI) / 360) / lens.height
  const needs = [
    (axes[0]!.high - axes[0]!.low) / (2 * slope * free.x),
    (axes[1]!.high - axes[1]!.low) / (2 * slope * free.y),
  ]
  const depth = (axes[2]!.high - axes[2]!.low) / 2
  return { centre, distance: Math.max(NEAREST, Math.max(...needs) * MARGIN + depth * 0.6) }
}

/** What a wish of the camera means for this map, looking from `direction`; `away` is how far the eye stands now. */
export const frameOf = (model: MapModel, view: View, direction: Vector3, away: number, lens: Lens): Frame => {
  const all = [...model.points.keys()]
  if (view.to === "clip") {
    const own = all.filter((i) => model.groupOf.clip[i] === view.index)
    if (own.length > 0) return fill(model, own, direction, lens)
  }
  const whole = fill(model, all, direction, lens)
  if (view.to !== "point" || view.index < 0) return whole
  // Near enough to read the neighbourhood, and no nearer than the eye already is.
  return { centre: at(model, view.index), distance: Math.min(away, Math.max(NEAREST, whole.distance * 0.55)) }
}

/** Ease in and out, cubic. */
export const ease = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2)
