"use client"
import { useEffect } from "react"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { closePalette, openPalette, PALETTE_INPUT_ID, useCommandPalette } from "./palette-store.ts"

const load = () => import("./CommandPalette.tsx").then((m) => m.CommandPalette)
const CommandPalette = lazyWithRetry(load, { overlay: true, onDismiss: closePalette })

/** Adds characters that are typed before the palette's input has the focus. */
const captureEarlyTyping = (event: KeyboardEvent): void => {
  if (document.activeElement?.id === PALETTE_INPUT_ID) return
  const { query } = useCommandPalette.getState()
  if (event.key === "Escape") closePalette()
  else if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  else if (event.key === "Backspace") useCommandPalette.setState({ query: query.slice(0, -1) })
  else if ([...event.key].length === 1) useCommandPalette.setState({ query: query + event.key })
  // Enter must not press the focused button below the palette.
  else if (event.key !== "Enter") return
  event.preventDefault()
  event.stopPropagation()
}

/** Opens the command palette with Ctrl+K or ⌘K. Loads its code when it is first needed. */
export const CommandPaletteHost = () => {
  const open = useCommandPalette((s) => s.open)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      // Start loading while the user is still pressing K.
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
