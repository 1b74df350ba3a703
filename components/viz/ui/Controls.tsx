"use client"
import { useEffect } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { SNAPSHOT } from "../snapshot.ts"
import {
  choose,
  NONE,
  search,
  select,
  showAll,
  takeTool,
  toggleEdges,
  toggleFlat,
  toggleTimeline,
  useMap,
  zoom,
} from "../store.ts"
import { useCopyLink } from "./use-copy-link.ts"
import { isWriting } from "./writing.ts"

const toggleLasso = () => takeTool(useMap.getState().tool === "lasso" ? "turn" : "lasso")
const takePicture = () => window.dispatchEvent(new Event(SNAPSHOT))

/** Escape leaves what is open, innermost first; F shows everything, E all edges, L draws, T is the line of time, 2 and 3 are dimensions. */
const useKeys = () => {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const { selected, query, tool, chosen, flat, axis } = useMap.getState()
      if (event.key === "Escape" && tool === "lasso") takeTool("turn")
      else if (event.key === "Escape" && selected !== NONE) select(NONE)
      else if (event.key === "Escape" && query) search("")
      else if (event.key === "Escape" && chosen) choose(null)
      else if (event.key === "Escape" && axis) toggleTimeline()
      else if (event.key === "l") toggleLasso()
      else if (event.key === "p") takePicture()
      else if (event.key === (flat ? "3" : "2")) toggleFlat()
      else if (event.key === "+" || event.key === "=") zoom("nearer")
      else if (event.key === "-") zoom("farther")
      else if (event.key === "f") showAll()
      else if (event.key === "e") toggleEdges()
      else if (event.key === "t") toggleTimeline()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [])
}

export const Controls = ({ className }: { className?: string }) => {
  const allEdges = useMap((s) => s.allEdges)
  const lasso = useMap((s) => s.tool === "lasso")
  const flat = useMap((s) => s.flat)
  const line = useMap((s) => s.axis !== null)
  const { copied, copy } = useCopyLink()
  useKeys()
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
