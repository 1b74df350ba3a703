"use client"
import type { RefObject } from "react"
import { cx } from "../../ui/cx.ts"
import { clock } from "../../ui/format.ts"
import type { MapModel } from "../model.ts"
import { NONE, useMap } from "../store.ts"

/** Name and place of the hovered topic. React writes its text when the point changes; the frame loop moves it. */
export const Tooltip = ({ model, box }: { model: MapModel; box: RefObject<HTMLDivElement | null> }) => {
  const index = useMap((s) => (s.hover === s.selected ? NONE : s.hover))
  const point = index === NONE ? undefined : model.points[index]
  return (
    <div
      ref={box}
      role="tooltip"
      aria-label={point ? undefined : "No topic under the pointer"}
      className={cx(
        "panel pointer-events-none absolute top-0 left-0 z-20 w-max max-w-72 rounded-md px-3 py-2 transition-opacity duration-100",
        point ? "opacity-100" : "opacity-0",
      )}
    >
      {point && (
        <>
          <p className="text-sm font-[600]">
            <bdi>{point.topic_title}</bdi>
          </p>
          <p className="numeric truncate text-xs text-muted">
            {clock(point.start_s)} · <bdi>{point.clip_title}</bdi>
          </p>
        </>
      )}
    </div>
  )
}
