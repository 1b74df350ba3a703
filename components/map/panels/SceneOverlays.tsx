import type { RefObject } from "react"
import { hover, NONE, playTopic, useMap } from "../state/store.ts"
import { PlayButton } from "./PlayButton.tsx"

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

/** What the hovered topic is about, who speaks in it, and a button that plays it. HoverLayer writes and positions it without React. */
export const TopicCard = ({ ref }: { ref: RefObject<HTMLDivElement | null> }) => (
  <div
    ref={ref}
    style={{ visibility: "hidden" }}
    // React calls `onPointerEnter` before the scene is told that the pointer has left it.
    onPointerOver={({ currentTarget }) => hover(Number(currentTarget.dataset.index))}
    onPointerLeave={() => hover(NONE)}
    className="panel pointer-events-auto absolute top-0 left-0 z-20 grid w-76 max-w-[calc(100vw-2rem)] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 rounded-md py-2.5 pr-1.5 pl-3 max-md:pointer-events-none"
  >
    <div role="tooltip" className="grid gap-1">
      <p className="text-sm font-[600]">
        <bdi data-part="title" />
      </p>
      <p className="line-clamp-2 text-xs text-soft empty:hidden" data-part="summary" />
      <p className="flex items-center gap-1.5 text-xs text-soft" data-part="group">
        <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-(--region)" />
        <bdi data-part="region" className="truncate" />
      </p>
      <p className="numeric truncate text-xs text-muted">
        <bdi data-part="source" />
      </p>
    </div>
    <PlayButton
      label="Play this topic"
      onPlay={() => {
        const { hover: index, model } = useMap.getState()
        const point = model?.points[index]
        if (point) playTopic(index, point.start_s)
      }}
    />
  </div>
)
