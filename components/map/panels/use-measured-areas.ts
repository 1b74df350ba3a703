"use client"
import { type RefObject, useEffect, useState } from "react"
import type { Insets } from "../scene/place-labels.ts"

type Areas = {
  /** Space around the part of the view that no panel covers, in CSS pixels. */
  readonly insets: Insets
  /** Space that panels cover completely at both sides, in CSS pixels. */
  readonly covered: { readonly left: number; readonly right: number }
}

const isEqual = (a: Areas, b: Areas): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Measures two grid cells relative to `view` when one of the three gets another size, as whenever a panel opens or closes. Null
 * before the first layout. Measuring after each render instead would force the browser to compute a layout in between.
 */
export const useMeasuredAreas = (
  view: RefObject<HTMLElement | null>,
  free: RefObject<HTMLElement | null>,
  uncovered: RefObject<HTMLElement | null>,
): Areas | null => {
  const [areas, setAreas] = useState<Areas | null>(null)
  useEffect(() => {
    const measure = () => {
      if (!view.current || !free.current || !uncovered.current) return
      const outer = view.current.getBoundingClientRect()
      const distances = (element: HTMLElement): Insets => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        return {
          left: Math.round(left - outer.left),
          right: Math.round(outer.right - right),
          top: Math.round(top - outer.top),
          bottom: Math.round(outer.bottom - bottom),
        }
      }
      const { left, right } = distances(uncovered.current)
      const next = {
        insets: distances(free.current),
        covered: { left: Math.max(0, left), right: Math.max(0, right) },
      }
      setAreas((old) => (old && isEqual(old, next) ? old : next))
    }
    const observer = new ResizeObserver(measure)
    for (const { current } of [view, free, uncovered]) if (current) observer.observe(current)
    return () => observer.disconnect()
  }, [view, free, uncovered])
  return areas
}
