"use client"
import { type RefObject, useCallback, useEffect, useState } from "react"
import { partitionPoint } from "#lib/domain/partition-point.ts"

const SPARE = 6

/** Where rows that are all `rowPx` high begin, and at last where they end: [count + 1] CSS pixels. */
export const evenTops = (count: number, rowPx: number): Uint32Array =>
  Uint32Array.from({ length: count + 1 }, (_, i) => i * rowPx)

/**
 * Which rows of a long list are in sight, with a few to spare: the page holds some dozens of rows, however long the list.
 * `tops` [rows + 1] says where each begins, in CSS pixels, and at last where all end.
 */
export const useWindow = (box: RefObject<HTMLElement | null>, tops: Uint32Array) => {
  const count = tops.length - 1
  const [span, setSpan] = useState({ from: 0, to: 40 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const { scrollTop, clientHeight } = element
      const from = Math.max(0, partitionPoint(count, (i) => tops[i + 1]! <= scrollTop) - SPARE)
      const to = partitionPoint(count, (i) => tops[i]! < scrollTop + clientHeight) + SPARE
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
  }, [box, tops, count])

  const reveal = useCallback(
    (row: number) => {
      const element = box.current
      if (!element) return
      const [top, bottom] = [tops[row]!, tops[row + 1]!]
      if (top < element.scrollTop) element.scrollTop = top
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
    },
    [box, tops],
  )
  return { from: span.from, to: Math.min(count, span.to), reveal }
}
