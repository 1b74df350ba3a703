"use client"
import { useEffect, useState } from "react"

/** What is this far above and below the window is loaded. */
const LOAD_MARGIN = "1600px 0px"

/** Returns true while an element is in or near the window. */
export const useIsNear = (element: { readonly current: HTMLElement | null }): boolean => {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      rootMargin: LOAD_MARGIN,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}
