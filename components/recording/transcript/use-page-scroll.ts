"use client"
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from "react"
import { isTyping } from "../../ui/is-typing.ts"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { usePlayer } from "../player/player.ts"

/** The part of the window that the sticky bar and the docked player leave free, as shares of its height. */
const COMFORTABLE_TOP = 0.25
const COMFORTABLE_BOTTOM = 0.7
/** The spoken words are placed here after scrolling. */
const READING_LINE = 0.38

/** Returns the distance in pixels of an element from the top of the document. */
export const usePageOffset = (element: RefObject<HTMLElement | null>): number => {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setOffset(Math.round(element.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    // What appears above the element changes the height of the page.
    const sizes = new ResizeObserver(measure)
    sizes.observe(document.body)
    return () => sizes.disconnect()
  }, [element])
  return offset
}

/** Scrolls the page so that an element is at a comfortable height for reading, unless it already is. */
export const scrollToReadingLine = (element: Element): void => {
  const { top, bottom } = element.getBoundingClientRect()
  const height = window.innerHeight
  if (top >= height * COMFORTABLE_TOP && bottom <= height * COMFORTABLE_BOTTOM) return
  window.scrollBy({ top: top - height * READING_LINE, behavior: prefersReducedMotion() ? "auto" : "smooth" })
}

const SCROLL_KEYS = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"])

/** Stops following playback when the user scrolls the page by wheel, touch, keyboard or scroll bar. */
export const useScrollStopsFollowing = (): void => {
  const stop = useCallback(() => {
    if (usePlayer.getState().isFollowing) usePlayer.setState({ isFollowing: false })
  }, [])
  useEffect(() => {
    const hasOwnScroll = (target: EventTarget | null) =>
      target instanceof Element && target.closest("[data-own-scroll], [role=dialog], [role=menu]") !== null
    const onScroll = (event: Event) => !hasOwnScroll(event.target) && stop()
    const onKey = (event: KeyboardEvent) => {
      const handled = event.defaultPrevented || isTyping(event) || hasOwnScroll(event.target)
      if (SCROLL_KEYS.has(event.key) && !handled) stop()
    }
    const onPointer = (event: PointerEvent) => {
      if (event.target === document.documentElement && event.clientX >= document.documentElement.clientWidth) stop()
    }
    window.addEventListener("wheel", onScroll, { passive: true })
    window.addEventListener("touchmove", onScroll, { passive: true })
    window.addEventListener("keydown", onKey)
    window.addEventListener("pointerdown", onPointer)
    return () => {
      window.removeEventListener("wheel", onScroll)
      window.removeEventListener("touchmove", onScroll)
      window.removeEventListener("keydown", onKey)
      window.removeEventListener("pointerdown", onPointer)
    }
  }, [stop])
}
