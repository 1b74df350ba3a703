"use client"
import { useState } from "react"
import { notifyError } from "../../ui/toast-queue.ts"

const SAID_MS = 1600

/** Puts the address of the view into the clipboard; `copied` for a moment afterwards. */
export const useCopyLink = () => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      // Absent where the page comes by plain http from another machine.
      await navigator.clipboard.writeText(window.location.href)
    } catch {
      notifyError("This browser does not let the page copy. The address bar holds the link.")
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return { copied, copy }
}
