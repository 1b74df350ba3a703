import type { LabelFont, LabelLook } from "./look.ts"

/** The label levels of regions. Topics have the levels 1 to 3 of the topic tree. */
export const LARGE_REGION_LEVEL = -1
export const MIDDLE_REGION_LEVEL = 0

const fontOfLevel = (level: number, look: LabelLook): LabelFont => {
  if (level === LARGE_REGION_LEVEL) return look.largeRegionFont
  if (level === MIDDLE_REGION_LEVEL) return look.middleRegionFont
  return level === 1 ? look.recordingFont : look.topicFont
}

export const styleLabel = (element: HTMLElement, level: number, look: LabelLook) => {
  const { sizeRem, weight } = fontOfLevel(level, look)
  element.style.fontSize = `${sizeRem}rem`
  element.style.fontWeight = String(weight)
}

/** Measures label texts with a canvas. Widths are cached until the page loads another font. */
export const createLabelMeasurer = (look: LabelLook) => {
  const context = document.createElement("canvas").getContext("2d")
  const caches = new Map<number, { readonly font: string; readonly widths: Map<string, number> }>()
  const createCache = (level: number) => {
    const { sizeRem, weight } = fontOfLevel(level, look)
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
      const width = context.measureText(text).width + Math.ceil(look.outlinePx)
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
