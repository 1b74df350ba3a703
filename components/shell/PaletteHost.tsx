"use client"
import dynamic from "next/dynamic"
import { useEffect } from "react"
import { openPalette, usePalette } from "./palette-store.ts"

const Palette = dynamic(() => import("./Palette.tsx").then((m) => m.Palette), { ssr: false })

/** Ctrl or ⌘ and K open the palette from everywhere; what it is made of comes when it is first asked for. */
export const PaletteHost = () => {
  const open = usePalette((s) => s.open)
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      openPalette()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [])
  return open ? <Palette /> : null
}
