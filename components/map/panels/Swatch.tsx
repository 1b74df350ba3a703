"use client"
import { useDark } from "../../ui/use-media.ts"
import { getColor, toCss } from "../state/palette.ts"
import { useMap } from "../state/store.ts"

/** A dot in the color that the scene uses for groups of this rank. */
export const Swatch = ({ rank, size = 10 }: { rank: number; size?: number }) => {
  const dark = useDark()
  const coloring = useMap((s) => s.coloring)
  return (
    <span
      aria-hidden="true"
      suppressHydrationWarning
      className="inline-block shrink-0 rounded-full"
      style={{ width: size, height: size, background: toCss(getColor(coloring, rank, dark)) }}
    />
  )
}
