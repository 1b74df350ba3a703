/** Theme values for the shaders. Keep the colors in sync with globals.css, which shaders cannot read. */
export type GlTheme = {
  readonly ground: string
  /** The ground at the edges of the view. */
  readonly edge: string
  readonly ink: string
  /** Brightness of the highlight in the middle of a disc. */
  readonly sheen: number
  readonly glow: number
  readonly line: number
}

export const glTheme = (dark: boolean): GlTheme =>
  dark
    ? { ground: "#0a0c0f", edge: "#050608", ink: "#ede9e1", sheen: 0.3, glow: 0.62, line: 0.2 }
    : { ground: "#f3efe6", edge: "#eae4d7", ink: "#1d1b17", sheen: 0.12, glow: 0.3, line: 0.26 }
