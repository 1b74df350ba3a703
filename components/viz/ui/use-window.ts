"use client"
import { type RefObject, useCallback, useEffect, useState } from "react"

const SPARE = 6

/**
 * Which rows of a long list are in sight, with a few to spare: the page holds some dozens of rows, however long the list.
 * Every row is `rowPx` CSS pixels high.
 */
export const useWindow = (box: RefObject<HTMLElement | null>, count: number, rowPx: number) => {
  const [span, setSpan] = useState({ from: 0, to: 40 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / rowPx) - SPARE)
      const to = Math.ceil((element.scrollTop + element.clientHeight) / rowPx) + SPARE
      setSpan((old) => (old.from === from && old.to === to ? old : { from, to }))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    element.addEventListener("scroll", measure, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener("scroll", measure)
    }
  }, [box, rowPx])

  const reveal = useCallback(
    (row: number) => {
      const element = box.current
      if (!element) return
      const top = row * rowPx
      if (top < element.scrollTop) element.scrollTop = top
      else if (top + rowPx > element.scrollTop + element.clientHeight)
        element.scrollTop = top + rowPx - element.clientHeight
    },
    [box, rowPx],
  )
  return { from: span.from, to: Math.min(count, span.to), reveal }
}
