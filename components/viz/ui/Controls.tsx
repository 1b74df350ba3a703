"use client"
import { useEffect } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { NONE, search, select, showAll, toggleEdges, useMap, zoom } from "../store.ts"
import { isWriting } from "./writing.ts"

/** Escape leaves what is open, innermost first; F shows everything, E all edges, + and - zoom. */
const useKeys = () => {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const { selected, query } = useMap.getState()
      if (event.key === "Escape" && selected !== NONE) select(NONE)
      else if (event.key === "Escape" && query) search("")
      else if (event.key === "+" || event.key === "=") zoom("nearer")
      else if (event.key === "-") zoom("farther")
      else if (event.key === "f") showAll()
      else if (event.key === "e") toggleEdges()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [])
}

export const Controls = ({ className }: { className?: string }) => {
  const allEdges = useMap((s) => s.allEdges)
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
    </div>
  )
}
