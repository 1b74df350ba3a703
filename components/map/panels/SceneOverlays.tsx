import type { RefObject } from "react"
import { useMap } from "../state/store.ts"

/** The hovered topic: links, glow, disc and ring. HoverLayer positions them. */
export const Marker = ({ ref }: { ref: RefObject<SVGSVGElement | null> }) => (
  <svg
    ref={ref}
    aria-hidden="true"
    style={{ display: "none" }}
    className="pointer-events-none absolute inset-0 size-full"
  >
    <g>
      <g strokeWidth="1.25" opacity="0.85" />
      <radialGradient id="marker-glow">
        <stop offset="0" stopColor="currentColor" stopOpacity="0.5" />
        <stop offset="0.35" stopColor="currentColor" stopOpacity="0.24" />
        <stop offset="0.65" stopColor="currentColor" stopOpacity="0.06" />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </radialGradient>
      <circle fill="url(#marker-glow)" />
      <circle fill="currentColor" />
      <circle fill="none" className="stroke-ink" strokeOpacity="0.75" />
    </g>
  </svg>
)

/** The line of the lasso. Rendered only while the tool is active: every layer over the scene slows down its frames. */
export const LassoOutline = ({ ref }: { ref: RefObject<SVGPolygonElement | null> }) => {
  const isActive = useMap((s) => s.tool === "lasso")
  if (!isActive) return null
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full">
      <polygon ref={ref} className="fill-accent-wash stroke-accent" strokeWidth="1.5" strokeDasharray="5 4" />
    </svg>
  )
}

/** The title and source of the hovered topic. HoverLayer writes and positions them without React. */
export const Tooltip = ({ ref }: { ref: RefObject<HTMLDivElement | null> }) => (
  <div
    ref={ref}
    role="tooltip"
    aria-label="No topic under the pointer"
    style={{ opacity: 0 }}
    className="panel pointer-events-none absolute top-0 left-0 z-20 w-max max-w-72 rounded-md px-3 py-2 transition-opacity duration-100"
  >
    <p className="text-sm font-[600]">
      <bdi />
    </p>
    <p className="numeric truncate text-xs text-muted">
      <bdi />
    </p>
  </div>
)
