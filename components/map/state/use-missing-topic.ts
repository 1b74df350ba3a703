"use client"
import { useEffect, useState } from "react"
import type { MapModel } from "./model.ts"
import { NONE, useMap } from "./store.ts"

/** Returns the query string without a topic that is not on the map, or null if there is nothing to remove. */
export const removeMissingTopic = (search: string, selected: number): string | null => {
  const params = new URLSearchParams(search)
  if (!params.get("topic") || selected !== NONE) return null
  params.delete("topic")
  const rest = params.toString()
  return rest && `?${rest}`
}

/**
 * Detects that the URL names a topic that is not on the map, and removes it from the URL. `isMissing` stays true until a
 * topic is opened or `dismiss` is called. Call this hook after `useUrlState`.
 */
export const useMissingTopic = (model: MapModel | null) => {
  const [isMissing, setIsMissing] = useState(false)
  useEffect(() => {
    if (!model) return
    const check = () => {
      const search = removeMissingTopic(window.location.search, useMap.getState().selected)
      if (search === null) return
      window.history.replaceState(null, "", `${window.location.pathname}${search}`)
      setIsMissing(true)
    }
    check()
    window.addEventListener("popstate", check)
    const unsubscribe = useMap.subscribe(({ selected }) => selected !== NONE && setIsMissing(false))
    return () => {
      window.removeEventListener("popstate", check)
      unsubscribe()
    }
  }, [model])
  return { isMissing, dismiss: () => setIsMissing(false) }
}
