import { Vector3 } from "three"
import type { MapModel } from "../state/model.ts"
import type { View } from "../state/store.ts"
import type { Insets } from "./place-labels.ts"

/** Where the eye looks and how far from there it stands, in the scene's units. */
export type Frame = { readonly centre: Vector3; readonly distance: number }
export type Lens = { readonly fov: number; readonly width: number; readonly height: number; readonly insets: Insets }

const NEAREST = 9
/** Share of the points that may stick out: a few far ones must not shrink the rest. */
const OUT = 0.03
/** Of fewer points none may stick out: each is a good part of the map. */
const WHOLE = 200
/** Room for a disc and a short label beyond the outermost points, in pixels; a narrow view gives up most of it. */
const MARGIN = { x: 64, y: 36 }
const NARROW = { below: 600, x: 18 }
/** Points from which the shape of a map is told well enough. */
const ENOUGH = 400
/** Points by which the camera is led: more of them tell no better where the map ends. */
const MANY = 4000
/** A map of fewer topics is read whole: no flight leaves a part of it behind. */
const FEW = 40

const at = (model: MapModel, i: number) => new Vector3().fromArray(model.positions, i * 3)
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** So many points at most, evenly taken. */
const someOf = (model: MapModel, most: number): number[] => {
  const step = Math.max(1, Math.ceil(model.count / most))
  return Array.from({ length: Math.ceil(model.count / step) }, (_, k) => k * step)
}

const outOf = (count: number): number => (count < WHOLE ? 0 : OUT)

const middle = (values: readonly number[]): number => {
  const list = sorted(values)
  const cut = Math.floor(((list.length - 1) * outOf(list.length)) / 2)
  return ((list[cut] ?? 0) + (list[list.length - 1 - cut] ?? 0)) / 2
}

/**
 * The frame in which the given points fill the part of the view that no panel covers, seen from `direction` (a unit
 * vector from them to the eye).
 */
const fill = (model: MapModel, indices: readonly number[], direction: Vector3, lens: Lens): Frame => {
  const right = new Vector3(0, 1, 0).cross(direction).normalize()
  const up = direction.clone().cross(right)
  const axes = [right, up, direction]
  const places = indices.map((i) => at(model, i)).map((p) => axes.map((axis) => p.dot(axis)))
  const mid = axes.map((_, k) => middle(places.map((p) => p[k]!)))
  const centre = new Vector3()
  axes.forEach((axis, k) => {
    centre.addScaledVector(axis, mid[k]!)
  })
  const { insets } = lens
  const free = lens.width - insets.left - insets.right
  const half = {
    x: Math.max(60, free / 2 - (free < NARROW.below ? NARROW.x : MARGIN.x)),
    y: Math.max(60, (lens.height - insets.top - insets.bottom) / 2 - MARGIN.y),
  }
  const focal = lens.height / (2 * Math.tan((lens.fov * Math.PI) / 360))
  // The distance at which each disc comes to lie on the border of the free part; a nearer point needs more.
  const needs = places.map(([x, y, z], i) => {
    const disc = model.sizes[indices[i]!]!
    const [across, along] = [Math.abs(x! - mid[0]!) + disc, Math.abs(y! - mid[1]!) + disc]
    return z! - mid[2]! + focal * Math.max(across / half.x, along / half.y)
  })
  const distance = sorted(needs)[Math.ceil((needs.length - 1) * (1 - outOf(needs.length)))] ?? NEAREST
  return { centre, distance: Math.max(NEAREST, distance) }
}

/** The usual way to look at the map: a little from above, so that its depth shows. */
const USUAL = new Vector3(0.5, 0.42, 1).normalize()

/**
 * From where to look at the map first. On a view higher than wide that is the side from which the points fill it best: a
 * map seen by its broad side would take a strip of it only.
 */
export const outlook = (model: MapModel, lens: Lens): Vector3 => {
  if (lens.width >= lens.height) return USUAL
  const some = someOf(model, ENOUGH)
  const turns = Array.from({ length: 12 }, (_, k) => (k * Math.PI) / 6)
  const from = [0.15, 0.4, 0.65, 0.9].flatMap((rise) =>
    turns.map((turn) => new Vector3(Math.cos(rise) * Math.sin(turn), Math.sin(rise), Math.cos(rise) * Math.cos(turn))),
  )
  const away = from.map((direction) => fill(model, some, direction, lens).distance)
  return from[away.indexOf(Math.min(...away))] ?? USUAL
}

/** What a wish of the camera means for this map, looking from `direction`; `away` is how far the eye stands now. */
export const frameOf = (model: MapModel, view: View, direction: Vector3, away: number, lens: Lens): Frame => {
  if (view.to === "clip") {
    const own = [...model.points.keys()].filter((i) => model.groupOf.clip[i] === view.index)
    if (own.length > 0) return fill(model, own, direction, lens)
  }
  const whole = fill(model, someOf(model, MANY), direction, lens)
  if (view.to !== "point" || view.index < 0 || model.count < FEW) return whole
  // Near enough to read the neighbourhood, and no nearer than the eye already is.
  return { centre: at(model, view.index), distance: Math.min(away, Math.max(NEAREST, whole.distance * 0.55)) }
}

/** Ease in and out, cubic. */
export const ease = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2)
