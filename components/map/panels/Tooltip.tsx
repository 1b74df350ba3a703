import type { RefObject } from "react"

/** Name and place of the hovered topic: written and moved by HoverLayer, so that React need not render for it. */
export const Tooltip = ({ box }: { box: RefObject<HTMLDivElement | null> }) => (
  <div
    ref={box}
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
