"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useRef } from "react"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import type { MapModel } from "../state/model.ts"
import { type MapState, useMap } from "../state/store.ts"
import { ease } from "./framing.ts"
import type { Stage } from "./stage.ts"

const PASSAGE_MS = 750

const targetOf = (model: MapModel, flat: boolean): Float32Array =>
  flat ? model.positions.map((v, i) => (i % 3 === 2 ? 0 : v)) : model.positions

type Way = { readonly from: Float32Array; readonly to: Float32Array; readonly start: number }

/** Leads the points to where they belong: from the layout before to a new one, and between space and plane. */
export const LayoutTransition = ({ model, stage }: { model: MapModel; stage: Stage }) => {
  const invalidate = useThree((s) => s.invalidate)
  const way = useRef<Way | null>(null)
  useEffect(() => {
    const go = ({ flat }: MapState) => {
      const to = targetOf(model, flat)
      if (stage.places.every((v, i) => v === to[i])) return
      if (prefersReducedMotion()) {
        stage.places.set(to)
        stage.moved()
      } else way.current = { from: stage.places.slice(), to, start: performance.now() }
      invalidate()
    }
    go(useMap.getState())
    return useMap.subscribe((state, before) => state.flat !== before.flat && go(state))
  }, [model, stage, invalidate])

  useFrame(() => {
    if (!way.current) return
    const { from, to, start } = way.current
    const t = Math.min(1, (performance.now() - start) / PASSAGE_MS)
    const part = ease(t)
    const { places } = stage
    for (let i = 0; i < places.length; i++) places[i] = t === 1 ? to[i]! : from[i]! + part * (to[i]! - from[i]!)
    stage.moved()
    if (t === 1) way.current = null
    invalidate()
  }, -3)
  return null
}
