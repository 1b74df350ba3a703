"use client"
import { useEffect } from "react"
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
} from "../state/store.ts"
import { takePicture, toggleLasso } from "./map-actions.ts"
import { isWriting } from "./writing.ts"

/** Leaves what is open, innermost first. */
const leave = () => {
  const { selected, query, tool, chosen, axis } = useMap.getState()
  if (tool === "lasso") takeTool("turn")
  else if (selected !== NONE) select(NONE)
  else if (query) search("")
  else if (chosen) choose(null)
  else if (axis) toggleTimeline()
}

/**
 * Escape leaves what is open; where the scene is drawn, F shows everything, E all edges, L draws, T is the line of time, 2 and
 * 3 are dimensions.
 */
export const useMapKeys = (drawn: boolean) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return
      // With Caps Lock a letter comes as a capital.
      const key = event.key.toLowerCase()
      if (key === "escape") leave()
      else if (!drawn) return
      else if (key === "l") toggleLasso()
      else if (key === "p") takePicture()
      else if (key === (useMap.getState().flat ? "3" : "2")) toggleFlat()
      else if (key === "+" || key === "=") zoom("nearer")
      else if (key === "-") zoom("farther")
      else if (key === "f") showAll()
      else if (key === "e") toggleEdges()
      else if (key === "t") toggleTimeline()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [drawn])
}
