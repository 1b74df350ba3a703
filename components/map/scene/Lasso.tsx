"use client"
import { type RefObject, useEffect } from "react"
import { computeHighlighted } from "../state/highlight.ts"
import { setCollected, setTool, useMap } from "../state/store.ts"
import { findPointsInPolygon } from "./polygon.ts"
import type { Renderer } from "./renderer.ts"

/** Minimum distance between two vertices of the outline. */
const VERTEX_DISTANCE_PX = 4
/** An outline with fewer vertices is treated as a click. */
const MIN_VERTICES = 6

type LassoProps = { renderer: Renderer; outline: RefObject<SVGPolygonElement | null> }

/** Collects the highlighted points inside an outline drawn with the pointer. */
export const Lasso = ({ renderer, outline }: LassoProps) => {
  const isActive = useMap((s) => s.tool === "lasso")
  useEffect(() => {
    if (!isActive) return
    const { element, displayed } = renderer
    let path: number[] | null = null
    const positionOf = (event: PointerEvent): [number, number] => {
      const box = element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    const showOutline = () => outline.current?.setAttribute("points", path?.join(" ") ?? "")
    const onDown = (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return
      element.setPointerCapture(event.pointerId)
      path = positionOf(event)
    }
    const onMove = (event: PointerEvent) => {
      if (!path || !event.isPrimary) return
      const [x, y] = positionOf(event)
      if (Math.hypot(x - path.at(-2)!, y - path.at(-1)!) < VERTEX_DISTANCE_PX) return
      path.push(x, y)
      showOutline()
    }
    const onUp = (event: PointerEvent) => {
      if (!path || !event.isPrimary) return
      if (path.length >= 2 * MIN_VERTICES) {
        displayed.refresh()
        // A new lasso replaces the collection, so the current one must not limit it.
        const included = computeHighlighted({ ...useMap.getState(), collected: null })
        setCollected(findPointsInPolygon(path, displayed.screen, included))
        setTool("orbit")
      }
      cancel()
    }
    const cancel = () => {
      path = null
      showOutline()
    }
    element.style.cursor = "crosshair"
    element.addEventListener("pointerdown", onDown)
    element.addEventListener("pointermove", onMove)
    element.addEventListener("pointerup", onUp)
    element.addEventListener("pointercancel", cancel)
    return () => {
      cancel()
      element.style.cursor = ""
      element.removeEventListener("pointerdown", onDown)
      element.removeEventListener("pointermove", onMove)
      element.removeEventListener("pointerup", onUp)
      element.removeEventListener("pointercancel", cancel)
    }
  }, [isActive, renderer, outline])
  return null
}
