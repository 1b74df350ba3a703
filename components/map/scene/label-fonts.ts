import { LARGE_REGION_LEVEL, MIDDLE_REGION_LEVEL } from "./place-labels.ts"

type LabelFont = { readonly sizeRem: number; readonly weight: number }

const TOPIC_FONT: LabelFont = { sizeRem: 0.78125, weight: 520 }
const FONTS: Readonly<Record<number, LabelFont>> = {
  [LARGE_REGION_LEVEL]: { sizeRem: 1.0625, weight: 640 },
  [MIDDLE_REGION_LEVEL]: { sizeRem: 0.9375, weight: 640 },
  1: { sizeRem: 0.875, weight: 640 },
}
const fontOfLevel = (level: number): LabelFont => FONTS[level] ?? TOPIC_FONT

/** Added to a measured width: `.map-label` in globals.css draws an outline around the text. */
const OUTLINE_PX = 4

export const styleLabel = (element: HTMLElement, level: number) => {
  const { sizeRem, weight } = fontOfLevel(level)
  element.style.fontSize = `${sizeRem}rem`
  element.style.fontWeight = String(weight)
}

/** Measures label texts with a canvas. Widths are cached until the page loads another font. */
export const createLabelMeasurer = () => {
  const context = document.createElement("canvas").getContext("2d")
  const caches = new Map<number, { readonly font: string; readonly widths: Map<string, number> }>()
  const createCache = (level: number) => {
    const { sizeRem, weight } = fontOfLevel(level)
    const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const { fontFamily } = getComputedStyle(document.body)
    const cache = { font: `${weight} ${sizeRem * rootPx}px ${fontFamily}`, widths: new Map<string, number>() }
    caches.set(level, cache)
    return cache
  }
  return {
    /** Returns the width of a label in CSS pixels. */
    measure(text: string, level: number): number {
      const { font, widths } = caches.get(level) ?? createCache(level)
      const cached = widths.get(text)
      if (cached !== undefined || !context) return cached ?? 0
      context.font = font
      const width = context.measureText(text).width + OUTLINE_PX
      widths.set(text, width)
      return width
    },
    /** Calls `callback` when the cached widths have become invalid. @returns an unsubscribe function */
    onFontsLoaded(callback: () => void): () => void {
      const onLoaded = () => {
        caches.clear()
        callback()
      }
      document.fonts.addEventListener("loadingdone", onLoaded)
      return () => document.fonts.removeEventListener("loadingdone", onLoaded)
    },
  }
}
