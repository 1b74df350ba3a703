"use client"
import { useCallback, useEffect, useRef, useState } from "react"

/** What the page scrolls to: an element of a portion, which may not be loaded yet. */
export type ScrollTarget = {
  readonly portion: number
  /** Elements of the portion, best first. Until one of them is there, the page scrolls to the portion. */
  readonly selectors: readonly string[]
  readonly align: ScrollLogicalPosition
}

/** Signs that somebody scrolls on their own. */
const SIGNS_OF_SCROLLING = ["wheel", "touchmove", "pointerdown", "keydown"] as const

const findElement = ({ portion, selectors }: ScrollTarget): Element | null => {
  const section = document.querySelector(`[data-portion="${portion}"]`)
  for (const selector of selectors) {
    const found = section?.querySelector(selector)
    if (found) return found
  }
  return section
}

/**
 * Scrolls to a target, and again while portions above it are loaded and change their heights, until somebody scrolls.
 * Returns the target, a function that sets it, and one to call when a portion has been shown.
 */
export const useScrollTarget = () => {
  const [target, setTarget] = useState<ScrollTarget | null>(null)
  const held = useRef<ScrollTarget | null>(null)
  const scroll = useCallback(() => {
    if (held.current) findElement(held.current)?.scrollIntoView({ block: held.current.align })
  }, [])
  useEffect(() => {
    held.current = target
    scroll()
    const release = () => {
      held.current = null
    }
    for (const sign of SIGNS_OF_SCROLLING) window.addEventListener(sign, release, { passive: true })
    return () => {
      for (const sign of SIGNS_OF_SCROLLING) window.removeEventListener(sign, release)
    }
  }, [target, scroll])
  const onShown = useCallback(() => {
    // The heights of what was shown are known in the next frame.
    if (held.current) requestAnimationFrame(scroll)
  }, [scroll])
  return { target, setTarget, onShown }
}
