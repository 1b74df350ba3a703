"use client"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { requestSnapshot } from "../state/snapshot.ts"
import { showAll, toggleEdges, toggleFlat, toggleLasso, toggleTimeline, useMap, zoom } from "../state/store.ts"
import { useCopyLink } from "./use-copy-link.ts"

/** The tools of the map. `hasSpace` is false for a map that can only be flat. */
export const Controls = ({ className, hasSpace }: { className: string; hasSpace: boolean }) => {
  const allEdges = useMap((s) => s.allEdges)
  const lasso = useMap((s) => s.tool === "lasso")
  const flat = useMap((s) => s.flat)
  const hasTimeline = useMap((s) => s.axis !== null)
  const { copied, copy } = useCopyLink()
  return (
    <div
      role="toolbar"
      aria-label="Map"
      aria-orientation="vertical"
      className={cx("panel pointer-events-auto flex flex-col p-0.5", className)}
    >
      <IconButton name="plus" label="Zoom in (+)" onClick={() => zoom("zoom-in")} />
      <IconButton name="minus" label="Zoom out (−)" onClick={() => zoom("zoom-out")} />
      <IconButton name="fit" label="Fit to view (F)" onClick={showAll} />
      <IconButton
        name="edges"
        label={allEdges ? "Hide links (E)" : "Show all links (E)"}
        aria-pressed={allEdges}
        onClick={toggleEdges}
      />
      <IconButton
        name="lasso"
        label={lasso ? "Cancel lasso (L)" : "Collect topics with the lasso (L)"}
        aria-pressed={lasso}
        onClick={toggleLasso}
      />
      {hasSpace && (
        <IconButton
          name="flat"
          label={flat ? "Show in 3-D (3)" : "Show in 2-D (2)"}
          aria-pressed={flat}
          onClick={toggleFlat}
        />
      )}
      <IconButton
        name="time"
        label={hasTimeline ? "Close timeline (T)" : "Show timeline (T)"}
        aria-pressed={hasTimeline}
        onClick={toggleTimeline}
      />
      <IconButton
        name={copied ? "check" : "link"}
        label={copied ? "Copied" : "Copy a link to this view"}
        onClick={copy}
      />
      <IconButton name="picture" label="Save as image (P)" onClick={requestSnapshot} />
    </div>
  )
}
