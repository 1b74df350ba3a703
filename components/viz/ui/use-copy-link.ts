"use client"
import { useState } from "react"

const SAID_MS = 1600

/** Puts the address of the view into the clipboard; `copied` for a moment afterwards. */
export const useCopyLink = () => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.href)
    setCopied(true)
    setTimeout(() => setCopied(false), SAID_MS)
  }
  return { copied, copy }
}
