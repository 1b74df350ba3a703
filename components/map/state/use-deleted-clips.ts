"use client"
import { useEffect, useState } from "react"
import type { MapModel } from "./model.ts"
import { NONE, useMap } from "./store.ts"

/** The address without a topic that the map lacks; null: it names none, or one that is there. */
export const withoutGone = (search: string, selected: number): string | null => {
  const params = new URLSearchParams(search)
  if (!params.get("topic") || selected !== NONE) return null
  params.delete("topic")
  const rest = params.toString()
  return rest && `?${rest}`
}

/**
 * Whether the address named a topic that is not on the map, until another one is opened; takes it out of the address. To be
 * used after the address was read.
 */
export const useGone = (model: MapModel | null) => {
  const [gone, setGone] = useState(false)
  useEffect(() => {
    if (!model) return
    const look = () => {
      const rest = withoutGone(window.location.search, useMap.getState().selected)
      if (rest === null) return
      window.history.replaceState(null, "", `${window.location.pathname}${rest}`)
      setGone(true)
    }
    look()
    window.addEventListener("popstate", look)
    const stop = useMap.subscribe(({ selected }) => selected !== NONE && setGone(false))
    return () => {
      window.removeEventListener("popstate", look)
      stop()
    }
  }, [model])
  return { gone, dismiss: () => setGone(false) }
}
