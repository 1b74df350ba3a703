import { decode, encode } from "fast-png"
import pixelmatch from "pixelmatch"

/** The smallest difference of colors that counts, from 0 to 1, as pixelmatch defines it. */
const COLOR_THRESHOLD = 0.05
/** Colors are rounded to multiples of this, which makes the stored pictures small. */
const COLOR_STEP = 4

/** Halves a screenshot and rounds its colors. The stored picture is then a seventh of the size. */
export const reduceScreenshot = (screenshot: Uint8Array): Uint8Array => {
  const { data, width, height, channels } = decode(screenshot)
  const [w, h] = [width >> 1, height >> 1]
  const out = new Uint8Array(w * h * 3)
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let c = 0; c < 3; c++) {
        const at = (dx: number, dy: number) => data[((2 * y + dy) * width + 2 * x + dx) * channels + c]!
        const mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4
        out[(y * w + x) * 3 + c] = Math.min(255, COLOR_STEP * Math.round(mean / COLOR_STEP))
      }
  return encode({ data: out, width: w, height: h, channels: 3 }, { zlib: { level: 9 } })
}

const toRgba = (png: Uint8Array) => {
  const { data, width, height, channels } = decode(png)
  const rgba = new Uint8Array(width * height * 4).fill(255)
  for (let i = 0; i < width * height; i++) for (let c = 0; c < channels; c++) rgba[4 * i + c] = data[channels * i + c]!
  return { rgba, width, height }
}

/** Returns the share of pixels that differ (1 if the sizes do), and a picture of them. */
export const comparePictures = (
  stored: Uint8Array,
  taken: Uint8Array,
): { share: number; difference: Uint8Array | null } => {
  const [a, b] = [toRgba(stored), toRgba(taken)]
  if (a.width !== b.width || a.height !== b.height) return { share: 1, difference: null }
  const { width, height } = a
  const out = new Uint8Array(a.rgba.length)
  const count = pixelmatch(a.rgba, b.rgba, out, width, height, {
    threshold: COLOR_THRESHOLD,
    // Links are as thin as the edges that pixelmatch would ignore.
    includeAA: true,
  })
  return { share: count / (width * height), difference: encode({ data: out, width, height }) }
}
