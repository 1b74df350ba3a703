"use client"
import { type RefObject, useCallback, useEffect, useState } from "react"
import { partitionPoint } from "#lib/domain/partition-point.ts"

/** Rows to render above and below the visible ones. */
const OVERSCAN_ROWS = 6

/** Returns the offsets of rows of equal height in CSS pixels: [count + 1]. */
export const uniformOffsets = (count: number, rowPx: number): Uint32Array =>
  Uint32Array.from({ length: count + 1 }, (_, i) => i * rowPx)

/**
 * Returns the range of rows to render in a scrolling list, and a function that scrolls a row into view. `offsets` holds
 * the top of each row and the bottom of the last one in CSS pixels: [rows + 1].
 */
export const useVisibleRows = (box: RefObject<HTMLElement | null>, offsets: Uint32Array) => {
  const count = offsets.length - 1
  const [span, setSpan] = useState({ from: 0, to: 40 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const { scrollTop, clientHeight } = element
      const from = Math.max(0, partitionPoint(count, (i) => offsets[i + 1]! <= scrollTop) - OVERSCAN_ROWS)
      const to = partitionPoint(count, (i) => offsets[i]! < scrollTop + clientHeight) + OVERSCAN_ROWS
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
  }, [box, offsets, count])

  const reveal = useCallback(
    (row: number) => {
      const element = box.current
      if (!element) return
      const [top, bottom] = [offsets[row]!, offsets[row + 1]!]
      if (top < element.scrollTop) element.scrollTop = top
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
    },
    [box, offsets],
  )
  return { from: span.from, to: Math.min(count, span.to), reveal }
}
