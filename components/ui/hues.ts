import type { CSSProperties } from "react"

/** OKLCH hues in degrees, ordered so that consecutive ones differ most. The first is the accent color of the pages. */
export const HUES = [38, 205, 92, 310, 160, 262, 15, 125, 338, 235, 65, 182] as const

/** Returns the hue for an index, repeating the list after the last one. */
export const getHue = (index: number): number => HUES[((index % HUES.length) + HUES.length) % HUES.length]!

/** Offset of the first speaker's hue, so that it differs from the hue of the first topic. */
export const SPEAKER_HUE_OFFSET = 3

/** Returns the style that sets the `tint` color of an element. */
export const hueStyle = (index: number): CSSProperties => ({ "--hue": getHue(index) }) as CSSProperties

/** A shade of all hues, with a lightness and chroma of its own in each theme. */
export type Shade = "first" | "second" | "pale"

/** The difference of the hues of the second shade from those of the first, in degrees. */
const SECOND_SHADE_SHIFT = 16

/**
 * Returns the color of a group by its rank: each hue in a first shade, then in a second, then in a pale one. The map and all
 * other pages color regions by it. The rank of a region is its ID, because regions are sorted by size.
 */
export const getGroupColor = (rank: number): { readonly hue: number; readonly shade: Shade } => {
  const round = Math.floor(rank / HUES.length)
  return {
    hue: HUES[rank % HUES.length]! + SECOND_SHADE_SHIFT * (round % 2),
    shade: round === 0 ? "first" : round === 1 ? "second" : "pale",
  }
}

/** The style of an element whose parts have the color of a topic, as `bg-(--topic)`. */
export const topicStyle = (color: string): CSSProperties => ({ "--topic": color }) as CSSProperties

/** Returns a color in which variables have the values of a style, for a canvas. */
export const resolveColor = (color: string, style: CSSStyleDeclaration): string =>
  color.replace(/var\((--[a-z-]+)\)/g, (_, name: string) => style.getPropertyValue(name))

/** Returns the color of a region as CSS. Topics that are not on the map are gray. */
export const regionColor = (region: number | null | undefined): string => {
  if (region === null || region === undefined) return "var(--no-region)"
  const { hue, shade } = getGroupColor(region)
  return `oklch(var(--shade-${shade}) ${hue})`
}
