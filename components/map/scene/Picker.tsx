"use client"
import { useEffect } from "react"
import { hover, NONE, select, toggleCollected, useMap } from "../state/store.ts"
import type { Renderer } from "./renderer.ts"

/** A press that moves farther or lasts longer is a drag. */
const MAX_CLICK_PX = 5
const MAX_CLICK_MS = 500

const reachPx = (event: PointerEvent) => (event.pointerType === "touch" ? 22 : 6)

/** Handles hover and clicks. Searches for a point at most once per frame, and not while the camera is dragged. */
export const Picker = ({ renderer }: { renderer: Renderer }) => {
  useEffect(() => {
    const { element } = renderer
    let frame = 0
    let press: { x: number; y: number; time: number } | null = null
    const findPoint = (event: PointerEvent): number => {
      const box = element.getBoundingClientRect()
      return renderer.pick({ x: event.clientX - box.left, y: event.clientY - box.top }, reachPx(event))
    }
    const showHover = (index: number) => {
      hover(index)
      element.style.cursor = index === NONE ? "" : "pointer"
    }
    const endHover = () => {
      cancelAnimationFrame(frame)
      showHover(NONE)
    }
    const isDrag = (start: { x: number; y: number }, event: PointerEvent) =>
      Math.hypot(event.clientX - start.x, event.clientY - start.y) >= MAX_CLICK_PX
    const onMove = (event: PointerEvent) => {
      if (press && event.buttons !== 0 && isDrag(press, event)) endHover()
      if (event.buttons !== 0 || event.pointerType === "touch" || useMap.getState().tool !== "orbit") return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => showHover(findPoint(event)))
    }
    const onDown = (event: PointerEvent) => {
      press =
        event.isPrimary && event.button === 0 && useMap.getState().tool === "orbit"
          ? { x: event.clientX, y: event.clientY, time: event.timeStamp }
          : null
    }
    const onUp = (event: PointerEvent) => {
      if (!press || !event.isPrimary) return
      if (!isDrag(press, event) && event.timeStamp - press.time < MAX_CLICK_MS) {
        const point = findPoint(event)
        if (event.shiftKey && point !== NONE) toggleCollected(point)
        else select(point, false)
      }
      press = null
    }
    element.addEventListener("pointermove", onMove)
    element.addEventListener("pointerleave", endHover)
    element.addEventListener("pointerdown", onDown)
    element.addEventListener("pointerup", onUp)
    return () => {
      endHover()
      element.removeEventListener("pointermove", onMove)
      element.removeEventListener("pointerleave", endHover)
      element.removeEventListener("pointerdown", onDown)
      element.removeEventListener("pointerup", onUp)
    }
  }, [renderer])
  return null
}
