import { getGroupColor, HUES, type Shade } from "../../ui/hues.ts"
import { type Coloring, isOrdered, SCALES } from "./coloring.ts"

/** sRGB, one byte per channel. */
export type Rgb = readonly [number, number, number]

const toGamma = (v: number): number => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
const toByte = (v: number): number => Math.round(Math.min(1, Math.max(0, toGamma(v))) * 255)

/**
 * Converts OKLCH to sRGB (Björn Ottosson, 2020). In OKLCH all hues can have the same perceived lightness, so that no
 * group stands out. `hue` is in degrees.
 */
export const oklch = (lightness: number, chroma: number, hue: number): Rgb => {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** The number of groups with a color of their own: each hue in two shades. */
export const MAX_GROUP_COLORS = 2 * HUES.length

/** The rank of a group that is drawn in gray. */
export const NEUTRAL_RANK = 0xffff

/** Lightness and chroma of each shade in the light and the dark theme, as in app/globals.css. */
const SHADES: Readonly<Record<Shade, readonly [light: readonly [number, number], dark: readonly [number, number]]>> = {
  first: [
    [0.57, 0.14],
    [0.77, 0.135],
  ],
  second: [
    [0.44, 0.11],
    [0.63, 0.13],
  ],
  pale: [
    [0.62, 0.08],
    [0.68, 0.075],
  ],
}

/** Returns the color of the group with this rank. Groups past the last hue get a second shade, and later ones less chroma. */
const groupColor = (rank: number, dark: boolean): Rgb => {
  if (rank >= NEUTRAL_RANK) return dark ? [139, 134, 126] : [138, 130, 117]
  const { hue, shade } = getGroupColor(rank)
  const [lightness, chroma] = SHADES[shade][dark ? 1 : 0]
  return oklch(lightness, chroma, hue)
}

/** Returns the color of a step on the ramp from a muted blue to the accent color. */
const rampColor = (step: number, steps: number, dark: boolean): Rgb => {
  const t = steps < 2 ? 1 : Math.min(1, step / (steps - 1))
  const hue = 262 - t * 224
  return dark ? oklch(0.62 + 0.18 * t, 0.1 + 0.05 * t, hue) : oklch(0.66 - 0.12 * t, 0.1 + 0.06 * t, hue)
}

export const getColor = (coloring: Coloring, rank: number, dark: boolean): Rgb =>
  isOrdered(coloring) ? rampColor(rank, SCALES[coloring].names.length, dark) : groupColor(rank, dark)

/** Parses `#rgb` or `#rrggbb`. */
export const parseHex = (color: string): Rgb => {
  const digits = color.replace("#", "")
  const long = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits
  const value = Number.parseInt(long, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** Mixes two sRGB colors; `share` is that of `b`. */
export const mixColors = (a: Rgb, b: Rgb, share: number): Rgb =>
  [0, 1, 2].map((k) => Math.round(a[k]! + share * (b[k]! - a[k]!))) as unknown as Rgb

export const toCss = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`
