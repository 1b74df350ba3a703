import { Vector3 } from "three"
import { type MapModel, RADIUS } from "../model.ts"
import { NONE, type View } from "../store.ts"
import type { Insets } from "./place-labels.ts"

/** A ball of the scene that the view is to hold. */
export type Ball = { readonly centre: Vector3; readonly radius: number }

const SMALLEST = 3

const at = (model: MapModel, i: number) => new Vector3().fromArray(model.positions, i * 3)

/** The ball around most of the given points: the far twentieth may stick out. */
const around = (model: MapModel, indices: readonly number[]): Ball => {
  const places = indices.map((i) => at(model, i))
  const centre = new Vector3()
  for (const p of places) centre.addScaledVector(p, 1 / Math.max(1, places.length))
  const distances = places.map((p) => p.distanceTo(centre)).sort((a, b) => a - b)
  const far = distances[Math.floor((distances.length - 1) * (distances.length > 40 ? 0.95 : 1))] ?? 0
  return { centre, radius: Math.max(SMALLEST, far * 1.12) }
}

/** What a wish of the camera means for this map; null where only the target moves. */
export const ballOf = (model: MapModel, view: View): Ball => {
  if (view.to === "point" && view.index !== NONE) return { centre: at(model, view.index), radius: RADIUS * 0.55 }
  const all = [...model.points.keys()]
  if (view.to === "clip")
    return around(
      model,
      all.filter((i) => model.groupOf.clip[i] === view.index),
    )
  return around(model, all)
}

/** How far the eye must stand for the ball to fill the part of the view that no panel covers. Degrees, pixels, units. */
export const distanceFor = (radius: number, fov: number, size: { width: number; height: number }, insets: Insets) => {
  const free = Math.max(
    120,
    Math.min(size.width - insets.left - insets.right, size.height - insets.top - insets.bottom),
  )
  return (radius * size.height) / (Math.tan((fov * Math.PI) / 360) * free)
}

/** Ease in and out, cubic. */
export const ease = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2)
