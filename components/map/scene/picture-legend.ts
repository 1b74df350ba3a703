import type { Group, MapModel } from "../state/model.ts"
import { colourOf, css, GROUP_COLOURS } from "../state/palette.ts"
import type { MapState } from "../state/store.ts"
import type { GlTheme } from "./theme.ts"

const LINE = 24
const PAD = 14
const DOT = 4
/** From the left of a dot to its name, and from a name to the next dot. */
const [NAME, NEXT] = [2 * DOT + 7, 20]
/** Names that are longer are cut: the legend is a key, no list. */
const LONGEST = 32
/** A key of more lines would take the picture's room. */
const MOST_LINES = 3

type Entry = { readonly text: string; readonly rank: number; readonly lit: boolean }
type Spot = Entry & { readonly x: number; readonly y: number }

const cut = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1).trimEnd()}…` : name)

const entriesOf = (groups: readonly Group[], { solo, off }: Pick<MapState, "solo" | "off">): Entry[] => {
  const shown = groups.slice(0, GROUP_COLOURS)
  const entries = shown.map(({ id, name, rank }) => ({
    text: cut(name),
    rank,
    lit: !off.has(id) && (solo === -1 || solo === id),
  }))
  const more = groups.length - shown.length
  return more > 0 ? [...entries, { text: `${more} more`, rank: GROUP_COLOURS, lit: true }] : entries
}

/** Puts entries into lines from left to right, as wide as `widthOf` says; what three lines do not hold is left out. Pixels. */
export const legendSpots = (
  entries: readonly Entry[],
  widthOf: (text: string) => number,
  width: number,
): { spots: Spot[]; height: number } => {
  const spots: Spot[] = []
  let [x, line] = [PAD, 0]
  for (const entry of entries) {
    const wide = NAME + widthOf(entry.text)
    if (x > PAD && x + wide > width - PAD) [x, line] = [PAD, line + 1]
    if (line === MOST_LINES) break
    spots.push({ ...entry, x, y: PAD + (line + 0.5) * LINE })
    x += wide + NEXT
  }
  return { spots, height: spots.length === 0 ? 0 : 2 * PAD + Math.min(line + 1, MOST_LINES) * LINE }
}

/** What a picture's colours mean: how high its key is in CSS pixels, and how to draw it at the origin. */
export const pictureLegend = (
  to: CanvasRenderingContext2D,
  {
    model,
    state,
    dark,
    theme,
    width,
  }: { model: MapModel; state: MapState; dark: boolean; theme: GlTheme; width: number },
) => {
  const { colouring } = state
  const font = `520 13px ${getComputedStyle(document.body).fontFamily}`
  to.font = font
  const { spots, height } = legendSpots(
    entriesOf(model.groups[colouring], state),
    (text) => to.measureText(text).width,
    width,
  )
  const draw = () => {
    to.fillStyle = theme.edge
    to.fillRect(0, 0, width, height)
    to.font = font
    to.textBaseline = "middle"
    for (const { text, rank, lit, x, y } of spots) {
      to.globalAlpha = lit ? 1 : 0.4
      to.fillStyle = css(colourOf(colouring, rank, dark))
      to.beginPath()
      to.arc(x + DOT, y, DOT, 0, 2 * Math.PI)
      to.fill()
      to.fillStyle = theme.ink
      to.fillText(text, x + NAME, y, width - x - NAME - PAD)
    }
    to.globalAlpha = 1
  }
  return { height, draw }
}
