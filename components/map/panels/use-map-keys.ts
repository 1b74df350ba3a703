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
import type { RendererChoice } from "./use-renderer-choice.ts"

/** Closes the innermost thing that is open. */
const closeInnermost = () => {
  const { selected, query, tool, collected, axis } = useMap.getState()
  if (tool === "lasso") setTool("orbit")
  else if (selected !== NONE) select(NONE)
  else if (query) search("")
  else if (collected) setCollected(null)
  else if (axis) toggleTimeline()
}

type Keys = Readonly<Record<string, () => unknown>>

const SPACE_KEYS: Keys = {
  2: () => useMap.getState().flat || toggleFlat(),
  3: () => useMap.getState().flat && toggleFlat(),
}

const MAP_KEYS: Keys = {
  l: toggleLasso,
  p: requestSnapshot,
  "+": () => zoom("zoom-in"),
  "=": () => zoom("zoom-in"),
  "-": () => zoom("zoom-out"),
  f: showAll,
  e: toggleEdges,
  t: toggleTimeline,
}

/** Handles the keyboard shortcuts of the map page. Without a map only Escape works, and a flat map cannot be shown in 3-D. */
export const useMapKeys = (renderer: RendererChoice["kind"]) => {
  useEffect(() => {
    const keys: Keys = {
      ...(renderer === "webgl" && SPACE_KEYS),
      ...((renderer === "webgl" || renderer === "flat") && MAP_KEYS),
    }
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      // Caps Lock makes letters uppercase.
      const key = event.key.toLowerCase()
      if (key === "escape") closeInnermost()
      else keys[key]?.()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [renderer])
}
