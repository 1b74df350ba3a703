"use client"
import { useEffect } from "react"
import { isTyping } from "../../ui/is-typing.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { closeKeys, type KeyHint, openKeys, useKeyHints, useKeys } from "./keys-store.ts"

const KeysDialog = lazyWithRetry(() => import("./KeysDialog.tsx").then((m) => m.KeysDialog), {
  overlay: true,
  onDismiss: closeKeys,
})

const EVERYWHERE: readonly KeyHint[] = [
  { keys: ["Ctrl K", "⌘ K"], action: "Search, or jump to a page" },
  { keys: ["?"], action: "Show keyboard shortcuts" },
]

/** Opens the list of keyboard shortcuts with `?`. */
export const KeysHost = () => {
  const isOpen = useKeys((s) => s.isOpen)
  useKeyHints("Everywhere", EVERYWHERE)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "?" || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      openKeys()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  return isOpen ? <KeysDialog /> : null
}
