import type { CSSProperties } from "react"

/** OKLCH hues, ordered so that neighbors differ most. The map uses the same list. */
const HUES = [38, 205, 92, 310, 160, 262, 15, 125, 338, 235, 65, 182] as const

/** Returns the hue for an index, repeating the list after the last one. */
export const getHue = (index: number): number => HUES[((index % HUES.length) + HUES.length) % HUES.length]!

/** Offset of the first speaker's hue, so that it differs from the hue of the first topic. */
export const SPEAKER_HUE_OFFSET = 3

/** Returns the style that sets the `tint` color of an element. */
export const hueStyle = (index: number): CSSProperties => ({ "--hue": getHue(index) }) as CSSProperties
