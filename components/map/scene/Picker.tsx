"use client"
import { useThree } from "@react-three/fiber"
import { useEffect } from "react"
import type { MapModel } from "../state/model.ts"
import { hover, NONE, select, toggleChosen, useMap } from "../state/store.ts"
import { pick } from "./projection.ts"
import type { Stage } from "./stage.ts"

const CLICK_PX = 5
const CLICK_MS = 500
const reachOf = (event: PointerEvent) => (event.pointerType === "touch" ? 22 : 6)

/** Hover and click by screen distance; at most one search a frame, none while the camera is dragged. */
export const Picker = ({ model, stage }: { model: MapModel; stage: Stage }) => {
  const element = useThree((s) => (s.events.connected ?? s.gl.domElement) as HTMLElement)
  useEffect(() => {
    let frame = 0
    let down: { x: number; y: number; at: number } | null = null
    const find = (event: PointerEvent): number => {
      const box = element.getBoundingClientRect()
      stage.refresh()
      const at = { x: event.clientX - box.left, y: event.clientY - box.top }
      return pick(stage.screen, model.sizes, at, stage.focal, reachOf(event))
    }
    const point = (index: number) => {
      hover(index)
      element.style.cursor = index === NONE ? "" : "pointer"
    }
    const farFrom = (start: { x: number; y: number }, event: PointerEvent) =>
      Math.hypot(event.clientX - start.x, event.clientY - start.y) >= CLICK_PX
    const move = (event: PointerEvent) => {
      // Who turns the map looks at all of it.
      if (down && event.buttons !== 0 && farFrom(down, event)) leave()
      if (event.buttons !== 0 || event.pointerType === "touch" || useMap.getState().tool !== "turn") return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => point(find(event)))
    }
    const leave = () => {
      cancelAnimationFrame(frame)
      point(NONE)
    }
    const press = (event: PointerEvent) => {
      down =
        event.isPrimary && event.button === 0 && useMap.getState().tool === "turn"
          ? { x: event.clientX, y: event.clientY, at: event.timeStamp }
          : null
    }
    const release = (event: PointerEvent) => {
      if (!down || !event.isPrimary) return
      if (!farFrom(down, event) && event.timeStamp - down.at < CLICK_MS) {
        const point = find(event)
        if (event.shiftKey && point !== NONE) toggleChosen(point)
        else select(point, false)
      }
      down = null
    }
    element.addEventListener("pointermove", move)
    element.addEventListener("pointerleave", leave)
    element.addEventListener("pointerdown", press)
    element.addEventListener("pointerup", release)
    return () => {
      leave()
      element.removeEventListener("pointermove", move)
      element.removeEventListener("pointerleave", leave)
      element.removeEventListener("pointerdown", press)
      element.removeEventListener("pointerup", release)
    }
  }, [element, model, stage])
  return null
}
