import { getHighlighted } from "../state/highlight.ts"
import type { MapModel } from "../state/model.ts"
import { type MapState, NONE } from "../state/store.ts"
import type { DisplayedPoints } from "./displayed-points.ts"
import { LARGE_REGION_LEVEL, MIDDLE_REGION_LEVEL } from "./label-fonts.ts"
import type { LabelLook, Look } from "./look.ts"
import { emphasizedRadius } from "./projection.ts"

/** The label levels of regions by depth. */
const REGION_LEVELS = [LARGE_REGION_LEVEL, MIDDLE_REGION_LEVEL, 2] as const

/** The order in which labels are placed. The tiers of regions lie between `hit` and `group`, in steps by depth. */
const TIER = { selected: 0, hit: 1, region: 1.5, group: 2, topic: 3 } as const

/** A point that may get a label. Labels with a lower tier are placed first. */
export type Candidate = {
  readonly index: number
  readonly level: number
  readonly tier: number
  readonly text: string
  /** Only for regions. */
  readonly region?: {
    readonly id: number
    /** 0 for a region, 1 for a part of it, 2 for a small area named after a topic. */
    readonly depth: number
    /** In scene units. */
    readonly radius: number
  }
}

export type Placed = {
  readonly index: number
  /** The region that the label names, or `NONE`. */
  readonly region: number
  readonly level: number
  readonly text: string
  readonly x: number
  readonly y: number
  readonly depth: number
}
/** The parts of the view that panels cover, in CSS pixels. */
export type Insets = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number }

/** More candidates would find no free space. */
const MAX_CANDIDATES = 400
const MAX_GROUP_CANDIDATES = 60
const MAX_HIT_CANDIDATES = 8
/** Up to this many points, labels do not cover points either. With more there is no space for that. */
const MAX_POINTS_AS_OBSTACLES = 80

const orderCache = new WeakMap<MapModel, readonly number[]>()

/**
 * Returns all points by level and duration, with whole recordings last: their names say less than those of topics. Cached,
 * because candidates change with every selection.
 */
const orderByImportance = (model: MapModel): readonly number[] => {
  const cached = orderCache.get(model)
  if (cached) return cached
  const order = [...model.points.keys()].sort((a, b) => {
    const [p, q] = [model.points[a]!, model.points[b]!]
    return Number(p.level === 1) - Number(q.level === 1) || p.level - q.level || q.duration_s - p.duration_s
  })
  orderCache.set(model, order)
  return order
}

/** Returns the largest depth of regions to label; -1 for none. Search hits and recordings need the space themselves. */
const maxRegionDepth = ({ hits, coloring }: MapState): number => {
  if (hits !== null) return -1
  return coloring === "clip" ? 0 : 2
}

/** Returns the points that may be labeled: the open topic, search hits, regions or groups, and other topics. Skips dimmed points. */
export const listLabelCandidates = (model: MapModel, state: MapState): Candidate[] => {
  const highlighted = getHighlighted(state)
  const seen = new Set<number>()
  const out: Candidate[] = []
  const add = (index: number, tier: number, text?: string) => {
    if (index === NONE || seen.has(index) || !highlighted[index] || out.length >= MAX_CANDIDATES) return
    seen.add(index)
    const { level, topic_title } = model.points[index]!
    out.push({ index, level, tier, text: text ?? topic_title })
  }
  add(state.selected, TIER.selected)
  for (const hit of (state.hits ?? []).slice(0, MAX_HIT_CANDIDATES)) add(hit, TIER.hit)
  const maxDepth = maxRegionDepth(state)
  for (const { text, depth, point, radius, region } of model.labels)
    if (highlighted[point] && depth <= maxDepth)
      out.push({
        index: point,
        level: REGION_LEVELS[depth]!,
        tier: TIER.region + depth / 10,
        text,
        region: { id: region, depth, radius },
      })
  if (maxDepth < 2 || model.labels.length === 0)
    for (const group of model.groupings[state.coloring].groups.slice(0, MAX_GROUP_CANDIDATES))
      add(group.anchor, group.size > 1 ? TIER.group : TIER.topic, group.name)
  for (const index of orderByImportance(model)) {
    if (out.length >= MAX_CANDIDATES) break
    add(index, TIER.topic)
  }
  return out
}

type Box = { readonly x: number; readonly y: number; readonly right: number; readonly bottom: number }

const isClear = (a: Box, b: Box, gap: number): boolean =>
  a.right + gap < b.x || b.right + gap < a.x || a.bottom + 2 < b.y || b.bottom + 2 < a.y

type LabeledPoints = Pick<DisplayedPoints, "screen" | "focal" | "radiusPx">

/** Returns the radius of the space that a disc takes in CSS pixels. The open topic is drawn with a ring. */
const occupiedRadius = ({ radiusPx }: LabeledPoints, index: number, isOpen: boolean, { point }: Look): number =>
  isOpen ? point.ringOuter * emphasizedRadius(radiusPx(index), point) : radiusPx(index)

type Obstacle = Box & { readonly index: number }

const listObstacles = (displayed: LabeledPoints, selected: number, look: Look): Obstacle[] => {
  const { screen } = displayed
  const indices = screen.x.length > MAX_POINTS_AS_OBSTACLES ? [selected] : [...screen.x.keys()]
  return indices
    .filter((i) => i !== NONE && screen.depth[i]! > 0)
    .map((index) => {
      const r = occupiedRadius(displayed, index, index === selected, look)
      const [x, y] = [screen.x[index]!, screen.y[index]!]
      return { index, x: x - r, right: x + r, y: y - r, bottom: y + r }
    })
}

type LabelSpace = {
  /** The radius of the point. */
  readonly clearance: number
  readonly width: number
  /** True if the label may cover its point, as the name of an area may. */
  readonly isCentered: boolean
}

/** Returns the possible boxes of a label in order of preference: centered, right, left, below, above. */
const listBoxes = (
  x: number,
  y: number,
  { clearance, width, isCentered }: LabelSpace,
  { heightPx, gapPx }: LabelLook,
): Box[] => {
  const top = y - heightPx / 2
  const left = x - width / 2
  const positions: [number, number][] = [
    ...(isCentered ? [[left, top] as [number, number]] : []),
    [x + clearance + gapPx, top],
    [x - clearance - gapPx - width, top],
    [left, y + clearance + 3],
    [left, y - clearance - 3 - heightPx],
  ]
  return positions.map(([x, y]) => ({ x, y, right: x + width, bottom: y + heightPx }))
}

const hasReadableSize = (depth: number, px: number, { minRegionRadiusPx, maxRegionRadiusPx }: LabelLook): boolean =>
  px >= minRegionRadiusPx[depth]! && px <= maxRegionRadiusPx[depth]!

type LabelView = {
  readonly width: number
  readonly height: number
  readonly insets: Insets
  readonly maxLabels: number
  readonly look: Look
  /** Returns the width of a text in CSS pixels, in the font of a label level. */
  readonly measure: (text: string, level: number) => number
}

/**
 * Places labels next to their points without overlaps. Of two labels in the same tier, one that was shown in the
 * previous frame is placed first, so that labels do not flicker.
 */
export const placeLabels = (
  candidates: readonly Candidate[],
  displayed: LabeledPoints,
  { width, height, insets, maxLabels, look, measure }: LabelView,
  shownBefore: ReadonlySet<number>,
): Placed[] => {
  const { screen, focal } = displayed
  const placed: (Placed & Box)[] = []
  const texts = new Set<string>()
  const indices = new Set<number>()
  const selected = candidates.find((c) => c.tier === TIER.selected)?.index ?? NONE
  const obstacles = listObstacles(displayed, selected, look)
  const fits = (box: Box, own: number) =>
    box.x >= insets.left &&
    box.right <= width - insets.right &&
    box.y >= insets.top &&
    box.bottom <= height - insets.bottom &&
    placed.every((other) => isClear(box, other, look.label.gapPx)) &&
    obstacles.every((obstacle) => obstacle.index === own || isClear(box, obstacle, 0))
  const ordered = [...candidates].sort(
    (a, b) => a.tier - b.tier || Number(shownBefore.has(b.index)) - Number(shownBefore.has(a.index)),
  )
  for (const { index, level, tier, text, region } of ordered) {
    if (placed.length >= maxLabels) break
    const depth = screen.depth[index]!
    if (depth <= 0 || texts.has(text) || indices.has(index)) continue
    if (region && !hasReadableSize(region.depth, (region.radius * focal) / depth, look.label)) continue
    if (tier === TIER.topic && displayed.radiusPx(index) < look.label.minDiscRadiusPx) continue
    const clearance = occupiedRadius(displayed, index, index === selected, look)
    const labelWidth = Math.min(width - insets.left - insets.right, measure(text, level))
    if (tier === TIER.topic && labelWidth > look.label.maxTopicWidthPx) continue
    const isCentered = region !== undefined && region.depth < 2
    const space = { clearance, width: labelWidth, isCentered }
    const boxes = listBoxes(screen.x[index]!, screen.y[index]!, space, look.label)
    const box = boxes.find((b) => fits(b, index))
    if (!box) continue
    texts.add(text)
    indices.add(index)
    placed.push({ index, region: isCentered ? region.id : NONE, level, text, depth, ...box })
  }
  return placed
}
