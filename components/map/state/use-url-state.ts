"use client"
import { useEffect } from "react"
import type { MapModel } from "./model.ts"
import { type MapState, NONE, useMap } from "./store.ts"
import { carryOverState, formatUrlState, parseUrlState, replaceUrlState, type UrlState } from "./url-state.ts"

/** Browsers limit how often a page may change its URL. */
const WRITE_DELAY_MS = 250

const readUrl = (): UrlState => Object.fromEntries(new URLSearchParams(window.location.search))

const writeUrl = (state: MapState, push: boolean) => {
  const { pathname, search } = window.location
  const query = replaceUrlState(search, state)
  const url = query ? `${pathname}?${query}` : pathname
  if (url === `${pathname}${search}`) return
  if (push) window.history.pushState(null, "", url)
  else window.history.replaceState(null, "", url)
}

/** Sets the state of a new map from the URL and keeps both in sync. Opening a topic adds a history entry. */
export const useUrlState = (model: MapModel | null) => {
  useEffect(() => {
    if (!model) return
    const { view, camera, ...rest } = parseUrlState(readUrl(), model)
    const previous = useMap.getState()
    // A map that is updated while it is open keeps its camera.
    const isUpdate = previous.model !== null
    useMap.setState({
      model,
      hover: NONE,
      hits: null,
      tool: "orbit",
      ...rest,
      ...carryOverState(model, previous),
      ...(!isUpdate && { view, camera }),
    })
    const { pathname } = window.location
    let timer: ReturnType<typeof setTimeout> | undefined
    const writeNow = () => {
      timer = undefined
      writeUrl(useMap.getState(), false)
    }
    const unsubscribe = useMap.subscribe((state, before) => {
      clearTimeout(timer)
      timer = undefined
      if (state.selected !== before.selected) writeUrl(state, true)
      else timer = setTimeout(writeNow, WRITE_DELAY_MS)
    })
    const onPopState = () => {
      const wanted = parseUrlState(readUrl(), model)
      if (formatUrlState({ ...useMap.getState(), ...wanted }) !== formatUrlState(useMap.getState()))
        useMap.setState(wanted)
    }
    window.addEventListener("popstate", onPopState)
    return () => {
      clearTimeout(timer)
      // The next model reads the URL, so a pending change must be written now, unless another page is open already.
      if (timer !== undefined && window.location.pathname === pathname) writeNow()
      unsubscribe()
      window.removeEventListener("popstate", onPopState)
    }
  }, [model])
}
