"use client"
import { useEffect } from "react"
import { isTyping } from "../../ui/is-typing.ts"
import { requestSnapshot } from "../state/snapshot.ts"
import {
  NONE,
  search,
  select,
  setCollected,
  setTool,
  showAll,
  toggleEdges,
  toggleFlat,
  toggleLasso,
  toggleTimeline,
  useMap,
  zoom,
} from "../state/store.ts"

/** Closes the innermost thing that is open. */
const closeInnermost = () => {
  const { selected, query, tool, collected, axis } = useMap.getState()
  if (tool === "lasso") setTool("orbit")
  else if (selected !== NONE) select(NONE)
  else if (query) search("")
  else if (collected) setCollected(null)
  else if (axis) toggleTimeline()
}

const SCENE_KEYS: Readonly<Record<string, () => unknown>> = {
  l: toggleLasso,
  p: requestSnapshot,
  2: () => useMap.getState().flat || toggleFlat(),
  3: () => useMap.getState().flat && toggleFlat(),
  "+": () => zoom("zoom-in"),
  "=": () => zoom("zoom-in"),
  "-": () => zoom("zoom-out"),
  f: showAll,
  e: toggleEdges,
  t: toggleTimeline,
}

/** Handles the keyboard shortcuts of the map page. Without a scene only Escape works. */
export const useMapKeys = (hasScene: boolean) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      // Caps Lock makes letters uppercase.
      const key = event.key.toLowerCase()
      if (key === "escape") closeInnermost()
      else if (hasScene) SCENE_KEYS[key]?.()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [hasScene])
}
