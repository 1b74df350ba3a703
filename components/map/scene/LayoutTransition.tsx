"use client"
import { useEffect, useRef } from "react"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { flattenPositions, type MapModel } from "../state/model.ts"
import { type MapState, useMap } from "../state/store.ts"
import type { Renderer } from "./renderer.ts"

const DURATION_MS = 750

/** Eases in and out with a cubic curve; `t` is between 0 and 1. */
const easeInOut = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2)

const targetPositions = (model: MapModel, flat: boolean): Float32Array =>
  flat ? flattenPositions(model.positions) : model.positions

type Transition = { readonly from: Float32Array; readonly to: Float32Array; readonly start: number }

/** Moves the points from the previous layout to a new one, and between space and plane. */
export const LayoutTransition = ({ model, renderer }: { model: MapModel; renderer: Renderer }) => {
  const transition = useRef<Transition | null>(null)
  useEffect(() => {
    const { displayed, invalidate } = renderer
    const begin = ({ flat }: MapState) => {
      const to = targetPositions(model, flat)
      if (displayed.positions.every((v, i) => v === to[i])) return
      if (prefersReducedMotion()) {
        displayed.positions.set(to)
        displayed.markMoved()
      } else transition.current = { from: displayed.positions.slice(), to, start: performance.now() }
      invalidate()
    }
    begin(useMap.getState())
    return useMap.subscribe((state, before) => state.flat !== before.flat && begin(state))
  }, [model, renderer])

  useEffect(() => {
    const { displayed, invalidate } = renderer
    return renderer.onFrame("move", () => {
      if (!transition.current) return
      const { from, to, start } = transition.current
      const t = Math.min(1, (performance.now() - start) / DURATION_MS)
      const share = easeInOut(t)
      const { positions } = displayed
      for (let i = 0; i < positions.length; i++)
        positions[i] = t === 1 ? to[i]! : from[i]! + share * (to[i]! - from[i]!)
      displayed.markMoved()
      if (t === 1) transition.current = null
      invalidate()
    })
  }, [renderer])
  return null
}
