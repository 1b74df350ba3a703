"use client"
import { useSyncExternalStore } from "react"
import { useTheme } from "./theme.ts"

/** Returns true if a media query matches. Returns false during server rendering. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener("change", changed)
      return () => list.removeEventListener("change", changed)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )

/** Returns true if the page is dark: by the theme of this browser, or that of the system. */
export const useDark = (): boolean => {
  const isSystemDark = useMedia("(prefers-color-scheme: dark)")
  const theme = useTheme()
  return theme === "system" ? isSystemDark : theme === "dark"
}
export const usePhone = (): boolean => useMedia("(max-width: 767px)")

/** Reads the current setting. Call it when an animation starts, so that a changed setting takes effect immediately. */
export const prefersReducedMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches
