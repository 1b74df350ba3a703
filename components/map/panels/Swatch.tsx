"use client"
import { useDark } from "../../ui/use-media.ts"
import { colourOf, css } from "../state/palette.ts"
import { useMap } from "../state/store.ts"

/** The colour of a group of the colouring that is on, as the scene draws it. */
export const Swatch = ({ rank, size = 10 }: { rank: number; size?: number }) => {
  const dark = useDark()
  const colouring = useMap((s) => s.colouring)
  return (
    <span
      aria-hidden="true"
      suppressHydrationWarning
      className="inline-block shrink-0 rounded-full"
      style={{ width: size, height: size, background: css(colourOf(colouring, rank, dark)) }}
    />
  )
}
