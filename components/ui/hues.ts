import type { CSSProperties } from "react"

/** In an order in which neighbours differ most; the first is the house's own. The map's groups have the same. */
const HUES = [38, 205, 92, 310, 160, 262, 15, 125, 338, 235, 65, 182] as const

/** The n-th of the hues, round and round: what is told apart stands side by side, and few do. */
export const getHue = (n: number): number => HUES[((n % HUES.length) + HUES.length) % HUES.length]!

/** Voices begin elsewhere in the same row, so that the first of them is not taken for the first topic. */
export const SPEAKER_HUE_OFFSET = 3

/** For elements whose colour is `tint`. */
export const hueStyle = (n: number): CSSProperties => ({ "--hue": getHue(n) }) as CSSProperties
