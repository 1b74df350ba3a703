"use client"
import { useThree } from "@react-three/fiber"
import { type RefObject, useEffect } from "react"
import { enclosed } from "../state/lasso.ts"
import type { MapModel } from "../state/model.ts"
import { choose, lit, takeTool, useMap } from "../state/store.ts"
import type { Stage } from "./stage.ts"

/** Pixels between two places of the line. */
const STEP = 4
/** A line of fewer places was a click. */
const LEAST = 6

type LassoProps = { model: MapModel; stage: Stage; line: RefObject<SVGPolygonElement | null> }

/** A line drawn around points gathers those that are lit. The points are projected once, when the line ends. */
export const Lasso = ({ model, stage, line }: LassoProps) => {
  const element = useThree((s) => (s.events.connected ?? s.gl.domElement) as HTMLElement)
  const drawing = useMap((s) => s.tool === "lasso")
  useEffect(() => {
    if (!drawing) return
    let path: number[] | null = null
    const at = (event: PointerEvent): [number, number] => {
      const box = element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    const show = () => line.current?.setAttribute("points", path?.join(" ") ?? "")
    const press = (event: PointerEvent) => {
      if (!event.isPrimary || event.button !== 0) return
      element.setPointerCapture(event.pointerId)
      path = at(event)
    }
    const move = (event: PointerEvent) => {
      if (!path || !event.isPrimary) return
      const [x, y] = at(event)
      if (Math.hypot(x - path.at(-2)!, y - path.at(-1)!) < STEP) return
      path.push(x, y)
      show()
    }
    const release = (event: PointerEvent) => {
      if (!path || !event.isPrimary) return
      if (path.length >= 2 * LEAST) {
        stage.refresh()
        // What is gathered already may be gathered anew: the lasso looks beyond it.
        const state = { ...useMap.getState(), chosen: null }
        choose(enclosed(path, stage.screen, lit(state, new Uint8Array(model.count))))
        takeTool("turn")
      }
      cancel()
    }
    const cancel = () => {
      path = null
      show()
    }
    element.style.cursor = "crosshair"
    element.addEventListener("pointerdown", press)
    element.addEventListener("pointermove", move)
    element.addEventListener("pointerup", release)
    element.addEventListener("pointercancel", cancel)
    return () => {
      cancel()
      element.style.cursor = ""
      element.removeEventListener("pointerdown", press)
      element.removeEventListener("pointermove", move)
      element.removeEventListener("pointerup", release)
      element.removeEventListener("pointercancel", cancel)
    }
  }, [drawing, element, line, model, stage])
  return null
}
