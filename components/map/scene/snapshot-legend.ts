import type { Group } from "../state/groups.ts"
import type { MapModel } from "../state/model.ts"
import { getColor, MAX_GROUP_COLORS, toCss } from "../state/palette.ts"
import { type MapState, NONE } from "../state/store.ts"
import type { SceneTheme } from "./theme.ts"

const LINE_HEIGHT_PX = 24
const PADDING_PX = 14
const DOT_RADIUS_PX = 4
/** From the left of a dot to its name. */
const NAME_OFFSET_PX = 2 * DOT_RADIUS_PX + 7
const ENTRY_GAP_PX = 20
const MAX_NAME_LENGTH = 32
const MAX_LINES = 3

type Entry = { readonly text: string; readonly rank: number; readonly highlighted: boolean }
type PlacedEntry = Entry & { readonly x: number; readonly y: number }

const truncate = (name: string): string =>
  name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1).trimEnd()}…` : name

const listEntries = (groups: readonly Group[], state: Pick<MapState, "soloGroup" | "dimmedGroups">): Entry[] => {
  const { soloGroup, dimmedGroups } = state
  const shown = groups.slice(0, MAX_GROUP_COLORS)
  const entries = shown.map(({ id, name, rank }) => ({
    text: truncate(name),
    rank,
    highlighted: !dimmedGroups.has(id) && (soloGroup === NONE || soloGroup === id),
  }))
  const more = groups.length - shown.length
  return more > 0 ? [...entries, { text: `${more} more`, rank: MAX_GROUP_COLORS, highlighted: true }] : entries
}

/** Arranges entries in at most three lines and omits the rest. All values are CSS pixels. */
export const placeLegendEntries = (
  entries: readonly Entry[],
  measure: (text: string) => number,
  width: number,
): { placed: PlacedEntry[]; height: number } => {
  const placed: PlacedEntry[] = []
  let [x, line] = [PADDING_PX, 0]
  for (const entry of entries) {
    const entryWidth = NAME_OFFSET_PX + measure(entry.text)
    if (x > PADDING_PX && x + entryWidth > width - PADDING_PX) [x, line] = [PADDING_PX, line + 1]
    if (line === MAX_LINES) break
    placed.push({ ...entry, x, y: PADDING_PX + (line + 0.5) * LINE_HEIGHT_PX })
    x += entryWidth + ENTRY_GAP_PX
  }
  const lines = Math.min(line + 1, MAX_LINES)
  return { placed, height: placed.length === 0 ? 0 : 2 * PADDING_PX + lines * LINE_HEIGHT_PX }
}

type LegendOptions = { model: MapModel; state: MapState; dark: boolean; theme: SceneTheme; width: number }

/** Returns the height of the legend in CSS pixels and a function that draws it at the origin of `target`. */
export const createSnapshotLegend = (
  target: CanvasRenderingContext2D,
  { model, state, dark, theme, width }: LegendOptions,
) => {
  const { coloring } = state
  const font = `520 13px ${getComputedStyle(document.body).fontFamily}`
  target.font = font
  const { placed, height } = placeLegendEntries(
    listEntries(model.groupings[coloring].groups, state),
    (text) => target.measureText(text).width,
    width,
  )
  const draw = () => {
    target.fillStyle = theme.edge
    target.fillRect(0, 0, width, height)
    target.font = font
    target.textBaseline = "middle"
    for (const { text, rank, highlighted, x, y } of placed) {
      target.globalAlpha = highlighted ? 1 : 0.4
      target.fillStyle = toCss(getColor(coloring, rank, dark))
      target.beginPath()
      target.arc(x + DOT_RADIUS_PX, y, DOT_RADIUS_PX, 0, 2 * Math.PI)
      target.fill()
      target.fillStyle = theme.ink
      target.fillText(text, x + NAME_OFFSET_PX, y, width - x - NAME_OFFSET_PX - PADDING_PX)
    }
    target.globalAlpha = 1
  }
  return { height, draw }
}
