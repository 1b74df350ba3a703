"use client"
import { useSyncExternalStore } from "react"

/** Whether a media query matches; false while the page is rendered on the server. */
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

export const useDark = (): boolean => useMedia("(prefers-color-scheme: dark)")
export const usePhone = (): boolean => useMedia("(max-width: 767px)")

/** Asked at the moment of moving, so that a change of the setting counts at once. */
export const prefersReducedMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches
