"use client"
import { useEffect } from "react"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { type KeyHint, useKeyHints } from "../shell/keys/keys-store.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { closeReplaceDialog, openReplaceDialog, useReplaceDialog } from "./replace-dialog-store.ts"

const ReplaceDialog = lazyWithRetry(() => import("./ReplaceDialog.tsx").then((m) => m.ReplaceDialog), {
  overlay: true,
  onDismiss: closeReplaceDialog,
})

const HINTS: readonly KeyHint[] = [{ keys: ["Ctrl H"], action: "Find and replace" }]

/** Shows the dialog that finds and replaces words, for one recording or for the library. Ctrl+H opens it. */
export const ReplaceDialogHost = ({ clipId }: { clipId?: string }) => {
  const { open, find } = useReplaceDialog()
  useKeyHints("Words", HINTS)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "h" || !event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      openReplaceDialog(window.getSelection()?.toString().trim().slice(0, MAX_SEARCH_CHARS) ?? "")
    }
    window.addEventListener("keydown", onKey)
    return () => {
      window.removeEventListener("keydown", onKey)
      closeReplaceDialog()
    }
  }, [])
  return open ? (
    <ReplaceDialog find={find} onClose={closeReplaceDialog} {...(clipId !== undefined && { clipId })} />
  ) : null
}
