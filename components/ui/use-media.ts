"use client"
import { useSyncExternalStore } from "react"

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

export const useDark = (): boolean => useMedia("(prefers-color-scheme: dark)")
export const usePhone = (): boolean => useMedia("(max-width: 767px)")

/** Reads the current setting. Call it when an animation starts, so that a changed setting takes effect immediately. */
export const prefersReducedMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches
