import type { Look } from "./look.ts"

/** What the shaders need to know about the theme of the page. */
export type SceneTheme = {
  readonly ground: string
  /** The ground at the edges of the view. */
  readonly edge: string
  readonly ink: string
  readonly sheen: number
  readonly glow: number
  readonly line: number
  /** Of the haze, for colorings by place and for others. */
  readonly haze: number
  readonly otherHaze: number
}

/** Returns the colors of the page, which globals.css defines, and the strengths of `look` for this theme. */
export const readTheme = (look: Look, dark: boolean): SceneTheme => {
  const style = getComputedStyle(document.documentElement)
  const colorOf = (name: string) => style.getPropertyValue(name).trim()
  const theme = dark ? "dark" : "light"
  return {
    ground: colorOf("--map"),
    edge: colorOf("--map-edge"),
    ink: colorOf("--ink"),
    sheen: look.point.sheen[theme],
    glow: look.glow.strength[theme],
    line: look.edge.opacity[theme],
    haze: look.haze.strength[theme],
    otherHaze: look.haze.otherStrength[theme],
  }
}
