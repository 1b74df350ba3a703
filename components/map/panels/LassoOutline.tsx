"use client"
import type { RefObject } from "react"
import { useMap } from "../state/store.ts"

/** The line that is being drawn around topics, over the scene; there only while one draws, as a layer costs each frame. */
export const LassoOutline = ({ line }: { line: RefObject<SVGPolygonElement | null> }) => {
  const drawing = useMap((s) => s.tool === "lasso")
  if (!drawing) return null
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full">
      <polygon ref={line} className="fill-accent-wash stroke-accent" strokeWidth="1.5" strokeDasharray="5 4" />
    </svg>
  )
}
