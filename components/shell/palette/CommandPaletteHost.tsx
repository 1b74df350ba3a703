"use client"
import { useEffect } from "react"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { closePalette, openPalette, PALETTE_INPUT_ID, useCommandPalette } from "./palette-store.ts"

const load = () => import("./CommandPalette.tsx").then((m) => m.CommandPalette)
const CommandPalette = lazyWithRetry(load, { overlay: true, onDismiss: closePalette })

/** What is typed before the palette's field has the focus goes into it all the same: one opens it to write. */
const captureEarlyTyping = (event: KeyboardEvent): void => {
  if (document.activeElement?.id === PALETTE_INPUT_ID) return
  const { query } = useCommandPalette.getState()
  if (event.key === "Escape") closePalette()
  else if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  else if (event.key === "Backspace") useCommandPalette.setState({ query: query.slice(0, -1) })
  else if ([...event.key].length === 1) useCommandPalette.setState({ query: query + event.key })
  // Whatever has the focus below the palette is not to be pressed.
  else if (event.key !== "Enter") return
  event.preventDefault()
  event.stopPropagation()
}

/** Ctrl or ⌘ and K open the palette from everywhere; what it is made of comes when it is first asked for. */
export const CommandPaletteHost = () => {
  const open = useCommandPalette((s) => s.open)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      // One who holds these down is likely to want it.
      if (event.key === "Control" || event.key === "Meta") load().catch(() => undefined)
      if (useCommandPalette.getState().open) captureEarlyTyping(event)
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      openPalette()
    }
    window.addEventListener("keydown", key, true)
    return () => window.removeEventListener("keydown", key, true)
  }, [])
  return open ? <CommandPalette /> : null
}
