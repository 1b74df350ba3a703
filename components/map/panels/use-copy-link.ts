"use client"
import { useState } from "react"
import { notifyError } from "../../ui/toast-queue.ts"

const COPIED_MS = 1600

/** Copies the URL of the current view. `copied` is true for a moment afterwards. */
export const useCopyLink = () => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      // `clipboard` is undefined on pages loaded over plain HTTP from another machine.
      await navigator.clipboard.writeText(window.location.href)
    } catch {
      notifyError("Couldn't copy the link: the browser blocks clipboard access. Copy it from the address bar.")
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return { copied, copy }
}
