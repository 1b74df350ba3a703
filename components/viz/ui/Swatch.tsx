"use client"
import { useDark } from "../../ui/use-media.ts"
import { css, groupColour } from "../palette.ts"

/** The colour of a group, as the scene draws it. */
export const Swatch = ({ rank, size = 10 }: { rank: number; size?: number }) => {
  const dark = useDark()
  return (
    <span
      aria-hidden="true"
      suppressHydrationWarning
      className="inline-block shrink-0 rounded-full"
      style={{ width: size, height: size, background: css(groupColour(rank, dark)) }}
    />
  )
}
