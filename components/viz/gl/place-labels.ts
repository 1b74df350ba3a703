import type { MapModel } from "../model.ts"
import { lit, type MapState, NONE } from "../store.ts"
import { screenRadius } from "./projection.ts"
import type { Stage } from "./stage.ts"

/** A point that may get a label; a lower tier goes first. */
export type Candidate = { readonly index: number; readonly level: number; readonly tier: number; readonly text: string }
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
const widthOf = (text: string, level: number): number => text.length * (level === 1 ? 7.9 : 7.1) + 4

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
  for (const group of model.groups[state.colouring].slice(0, 60)) add(group.anchor, group.size > 1 ? 2 : 3, group.name)
  const order = [...model.points.keys()].sort((a, b) => {
    const [p, q] = [model.points[a]!, model.points[b]!]
    return p.level - q.level || q.duration_s - p.duration_s
  })
  for (const index of order) add(index, 3)
  return out
}

/** Gives labels their places without two touching one another; those that stood in the frame before go first in their tier. */
export const placeLabels = (
  list: readonly Candidate[],
  stage: Pick<Stage, "screen" | "focal">,
  sizes: Float32Array,
  view: { width: number; height: number; insets: Insets; most: number; widest: number },
  before: ReadonlySet<number>,
): Placed[] => {
  const { screen, focal } = stage
  const { width, height, insets, most, widest } = view
  const placed: (Placed & { right: number })[] = []
  const texts = new Set<string>()
  const fits = (left: number, right: number, y: number) =>
    left >= insets.left &&
    right <= width - insets.right &&
    y >= insets.top &&
    y + HEIGHT <= height - insets.bottom &&
    placed.every((p) => right + GAP < p.x || left - GAP > p.right || y + HEIGHT + 2 < p.y || y > p.y + HEIGHT + 2)
  const ordered = [...list].sort((a, b) => a.tier - b.tier || Number(before.has(b.index)) - Number(before.has(a.index)))
  for (const { index, level, tier, text } of ordered) {
    if (placed.length >= most) break
    const depth = screen.depth[index]!
    if (depth <= 0 || texts.has(text)) continue
    const radius = screenRadius(sizes[index]!, depth, focal)
    if (tier === 3 && radius < 4) continue
    const x = screen.x[index]!
    const y = screen.y[index]! - HEIGHT / 2
    const wide = Math.min(widest, widthOf(text, level))
    const sides = [x + radius + GAP, x - radius - GAP - wide]
    const left = sides.find((side) => fits(side, side + wide, y))
    if (left === undefined) continue
    texts.add(text)
    placed.push({ index, level, text, x: left, y, depth, right: left + wide })
  }
  return placed
}
