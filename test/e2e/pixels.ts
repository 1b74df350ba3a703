import { decode } from "fast-png"
import type { Page } from "playwright-core"
import type { Rgb } from "../../components/map/state/palette.ts"

/** A screenshot whose pixels can be read. Coordinates are CSS pixels of the page; the scale of the screen must be 1. */
export type Pixels = {
  readonly width: number
  readonly height: number
  at(x: number, y: number): Rgb
}

export const takePixels = async (page: Page): Promise<Pixels> => {
  const { data, width, height, channels } = decode(await page.screenshot())
  return {
    width,
    height,
    at(x, y) {
      const k = channels * (Math.round(y - 0.5) * width + Math.round(x - 0.5))
      return [data[k]!, data[k + 1]!, data[k + 2]!]
    },
  }
}

export const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
]

/** Splits a color into a mixture of two others: the share of `to`, and how far the color is from that mixture. */
export const unmix = (color: Rgb, from: Rgb, to: Rgb): { share: number; rest: number } => {
  const along = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
  const offset = [color[0] - from[0], color[1] - from[1], color[2] - from[2]] as const
  const squared = along[0] ** 2 + along[1] ** 2 + along[2] ** 2
  const share = (along[0] * offset[0] + along[1] * offset[1] + along[2] * offset[2]) / squared
  return { share, rest: distance(color, mix(from, to, share)) }
}

const NEIGHBORS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const))

/** Returns the largest distance from a color within a pixel of a point. Lines are about one pixel wide. */
export const largestDistance = (pixels: Pixels, x: number, y: number, color: Rgb): number =>
  Math.max(...NEIGHBORS.map(([dx, dy]) => distance(pixels.at(x + dx, y + dy), color)))

export const pixelsIn = (pixels: Pixels, left: number, top: number, right: number, bottom: number): Rgb[] => {
  const colors: Rgb[] = []
  for (let y = Math.ceil(top) + 0.5; y < bottom; y++)
    for (let x = Math.ceil(left) + 0.5; x < right; x++) colors.push(pixels.at(x, y))
  return colors
}

/** Returns the largest difference between two screenshots within a pixel of a point. */
export const largestChange = (before: Pixels, after: Pixels, x: number, y: number): number =>
  Math.max(...NEIGHBORS.map(([dx, dy]) => distance(before.at(x + dx, y + dy), after.at(x + dx, y + dy))))

export const parseHex = (color: string): Rgb => {
  const value = Number.parseInt(color.replace("#", ""), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
