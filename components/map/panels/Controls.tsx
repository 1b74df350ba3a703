"use client"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { showAll, toggleEdges, toggleFlat, toggleTimeline, useMap, zoom } from "../state/store.ts"
import { takePicture, toggleLasso } from "./map-actions.ts"
import { useCopyLink } from "./use-copy-link.ts"

export const Controls = ({ className }: { className?: string }) => {
  const allEdges = useMap((s) => s.allEdges)
  const lasso = useMap((s) => s.tool === "lasso")
  const flat = useMap((s) => s.flat)
  const line = useMap((s) => s.axis !== null)
  const { copied, copy } = useCopyLink()
  return (
    <div
      role="toolbar"
      aria-label="Map"
      aria-orientation="vertical"
      className={cx("panel flex flex-col p-0.5", className)}
    >
      <IconButton name="plus" label="Nearer (+)" onClick={() => zoom("nearer")} />
      <IconButton name="minus" label="Farther (−)" onClick={() => zoom("farther")} />
      <IconButton name="fit" label="Show everything (F)" onClick={showAll} />
      <IconButton
        name="edges"
        label={allEdges ? "Hide the links (E)" : "Show all links (E)"}
        aria-pressed={allEdges}
        onClick={toggleEdges}
      />
      <IconButton
        name="lasso"
        label={lasso ? "Turn the map (L)" : "Draw around topics (L)"}
        aria-pressed={lasso}
        onClick={toggleLasso}
      />
      <IconButton
        name="flat"
        label={flat ? "Show it in space (3)" : "Lay it flat (2)"}
        aria-pressed={flat}
        onClick={toggleFlat}
      />
      <IconButton
        name="time"
        label={line ? "Close the line of time (T)" : "Line of time (T)"}
        aria-pressed={line}
        onClick={toggleTimeline}
      />
      <IconButton
        name={copied ? "check" : "link"}
        label={copied ? "Copied" : "Copy a link to this view"}
        onClick={copy}
      />
      <IconButton name="picture" label="Save as a picture (P)" onClick={takePicture} />
    </div>
  )
}
