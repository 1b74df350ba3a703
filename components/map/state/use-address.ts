"use client"
import { useEffect } from "react"
import { type Address, carriedOver, fromAddress, toAddress } from "./address.ts"
import type { MapModel } from "./model.ts"
import { useMap } from "./store.ts"

const read = (): Address => Object.fromEntries(new URLSearchParams(window.location.search))

const write = (query: string, push: boolean) => {
  const { pathname } = window.location
  const url = query ? `${pathname}?${query}` : pathname
  if (url === `${window.location.pathname}${window.location.search}`) return
  if (push) window.history.pushState(null, "", url)
  else window.history.replaceState(null, "", url)
}

/** Puts a new map into the store by what the address says, then keeps the two alike; back goes through selections. */
export const useAddress = (model: MapModel | null) => {
  useEffect(() => {
    if (!model) return
    const { view, camera, ...kept } = fromAddress(read(), model)
    // A map that grows under the reader's eyes leaves the eye where it is.
    const before = useMap.getState()
    const grown = before.model !== null
    const fresh = { model, hover: -1, hits: null, tool: "turn" as const }
    useMap.setState({ ...fresh, ...kept, ...carriedOver(model, before), ...(!grown && { view, camera }) })
    const { pathname } = window.location
    let timer: ReturnType<typeof setTimeout> | undefined
    const writeNow = () => {
      timer = undefined
      write(toAddress(useMap.getState()), false)
    }
    const stop = useMap.subscribe((state, before) => {
      clearTimeout(timer)
      timer = undefined
      if (state.selected !== before.selected) write(toAddress(state), true)
      // Typing need not fill the history, nor outrun the browser's limit on writes.
      else timer = setTimeout(writeNow, 250)
    })
    const back = () => {
      const wanted = fromAddress(read(), model)
      if (toAddress({ ...useMap.getState(), ...wanted }) !== toAddress(useMap.getState())) useMap.setState(wanted)
    }
    window.addEventListener("popstate", back)
    return () => {
      clearTimeout(timer)
      // The next map is read by the address: what is on its way there would be lost. Another page's is left alone.
      if (timer !== undefined && window.location.pathname === pathname) writeNow()
      stop()
      window.removeEventListener("popstate", back)
    }
  }, [model])
}
