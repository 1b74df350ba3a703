import type { MapModel } from "../state/model.ts"
import { lit, type MapState, NONE } from "../state/store.ts"
import { screenRadius } from "./projection.ts"
import type { Stage } from "./stage.ts"

/**
 * A point that may get a label; a lower tier goes first. The name of a land has its `radius` in the
 * scene's units, and a level below that of topics.
 */
export type Candidate = {
  readonly index: number
  readonly level: number
  readonly tier: number
  readonly text: string
  readonly radius?: number
}
/** Levels of the names of lands, the coarsest first; those of topics are 1 and more. */
export const LAND = -1
const LAND_LEVELS = [LAND, 0, 2] as const
/** A land is named while its radius on the screen lies between: farther away a larger one speaks, nearer its parts. */
const LAND_PX = { least: [70, 52, 40], most: [430, 340, 300] } as const
export type Placed = {
  readonly index: number
  readonly level: number
  readonly text: string
  readonly x: number
  readonly y: number
  readonly depth: number
}
export type Insets = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

const HEIGHT = 20
const GAP = 7
/** Candidates looked at in a frame: the rest would find no room. */
const MOST = 400

/** By the mean advance of the label font, so that no label need be measured in the page; whole recordings are set larger. */
const widthOf = (text: string, level: number): number =>
  text.length * (level === LAND ? 9.8 : level === 0 ? 8.7 : level === 1 ? 7.9 : 7.1) + 6

const orders = new WeakMap<MapModel, readonly number[]>()

/** All points by level and length; sorted once for a model, as what is lit changes with every selection. */
const orderOf = (model: MapModel): readonly number[] => {
  const known = orders.get(model)
  if (known) return known
  const order = [...model.points.keys()].sort((a, b) => {
    const [p, q] = [model.points[a]!, model.points[b]!]
    return p.level - q.level || q.duration_s - p.duration_s
  })
  orders.set(model, order)
  return order
}

/**
 * Who may be labelled, best first: the selected point, what the search found, the names of the groups, then topics by
 * level and length. A greyed point gets none.
 */
export const candidates = (model: MapModel, state: MapState): Candidate[] => {
  const on = lit(state, new Uint8Array(model.count))
  const seen = new Set<number>()
  const out: Candidate[] = []
  const add = (index: number, tier: number, text?: string) => {
    if (index === NONE || seen.has(index) || !on[index] || out.length >= MOST) return
    seen.add(index)
    const { level, topic_title } = model.points[index]!
    out.push({ index, level, tier, text: text ?? topic_title })
  }
  add(state.selected, 0)
  for (const hit of (state.hits ?? []).slice(0, 8)) add(hit, 1)
  // By recording the names of recordings want room, too.
  const finest = state.hits === null ? (state.colouring === "clip" ? 0 : 2) : -1
  const lands = finest === 2
  for (const { text, depth, point, radius } of model.labels)
    if (on[point] && depth <= finest)
      out.push({ index: point, level: LAND_LEVELS[depth]!, tier: 1.5 + depth / 10, text, radius })
  if (!lands || model.labels.length === 0)
    for (const group of model.groups[state.colouring].slice(0, 60))
      add(group.anchor, group.size > 1 ? 2 : 3, group.name)
  for (const index of orderOf(model)) {
    if (out.length >= MOST) break
    add(index, 3)
  }
  return out
}

type Box = { readonly x: number; readonly y: number; readonly right: number; readonly bottom: number }

const apart = (a: Box, b: Box, gap: number): boolean =>
  a.right + gap < b.x || b.right + gap < a.x || a.bottom + 2 < b.y || b.bottom + 2 < a.y

/** Up to this many points, labels also keep clear of the points themselves; beyond, there is no such room. */
const CLEAR_POINTS = 80

/** The selected point wears a ring. */
const ringRadius = (radius: number): number => Math.max(5.5, radius * 1.15) * 1.75

type Disc = Box & { readonly index: number }

const obstacles = (
  { screen, focal }: Pick<Stage, "screen" | "focal">,
  sizes: Float32Array,
  selected: number,
): Disc[] => {
  const those = sizes.length > CLEAR_POINTS ? [selected] : [...sizes.keys()]
  return those
    .filter((i) => i !== NONE && screen.depth[i]! > 0)
    .map((index) => {
      const radius = screenRadius(sizes[index]!, screen.depth[index]!, focal)
      const r = index === selected ? ringRadius(radius) : radius
      const [x, y] = [screen.x[index]!, screen.y[index]!]
      return { index, x: x - r, right: x + r, y: y - r, bottom: y + r }
    })
}

/** Places beside a point, the best first: right, left, below, above. `clear` is what the point itself takes. */
const beside = (x: number, y: number, clear: number, wide: number): Box[] => {
  const top = y - HEIGHT / 2
  const side = x - wide / 2
  return [
    [x + clear + GAP, top],
    [x - clear - GAP - wide, top],
    [side, y + clear + 3],
    [side, y - clear - 3 - HEIGHT],
  ].map(([left, up]) => ({ x: left!, y: up!, right: left! + wide, bottom: up! + HEIGHT }))
}

const inSight = (tier: number, px: number): boolean => {
  const depth = Math.round((tier - 1.5) * 10)
  return px >= LAND_PX.least[depth]! && px <= LAND_PX.most[depth]!
}

type LabelView = { width: number; height: number; insets: Insets; most: number; widest: number }

/** Gives labels their places without two touching one another; those that stood in the frame before go first in their tier. */
export const placeLabels = (
  list: readonly Candidate[],
  stage: Pick<Stage, "screen" | "focal">,
  sizes: Float32Array,
  { width, height, insets, most, widest }: LabelView,
  before: ReadonlySet<number>,
): Placed[] => {
  const { screen, focal } = stage
  const placed: (Placed & Box)[] = []
  const texts = new Set<string>()
  const indices = new Set<number>()
  const points = obstacles(stage, sizes, list.find((c) => c.tier === 0)?.index ?? NONE)
  const fits = (box: Box, own: number) =>
    box.x >= insets.left &&
    box.right <= width - insets.right &&
    box.y >= insets.top &&
    box.bottom <= height - insets.bottom &&
    placed.every((other) => apart(box, other, GAP)) &&
    points.every((disc) => disc.index === own || apart(box, disc, 0))
  const ordered = [...list].sort((a, b) => a.tier - b.tier || Number(before.has(b.index)) - Number(before.has(a.index)))
  for (const { index, level, tier, text, radius: land } of ordered) {
    if (placed.length >= most) break
    const depth = screen.depth[index]!
    if (depth <= 0 || texts.has(text) || indices.has(index)) continue
    if (land !== undefined && !inSight(tier, (land * focal) / depth)) continue
    const radius = screenRadius(sizes[index]!, depth, focal)
    if (tier === 3 && radius < 4) continue
    const clear = tier === 0 ? ringRadius(radius) : radius
    const wide = Math.min(widest, widthOf(text, level))
    const box = beside(screen.x[index]!, screen.y[index]!, clear, wide).find((b) => fits(b, index))
    if (!box) continue
    texts.add(text)
    indices.add(index)
    placed.push({ index, level, text, depth, ...box })
  }
  return placed
}
