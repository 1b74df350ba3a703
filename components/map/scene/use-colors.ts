"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, DynamicDrawUsage } from "three"
import { paint } from "../state/colors.ts"
import type { MapModel } from "../state/model.ts"
import { type MapState, relit, useMap } from "../state/store.ts"

/** One array of colours for points and for the ends of edges, rewritten in place. */
export const useColours = (model: MapModel, dark: boolean) => {
  const invalidate = useThree((s) => s.invalidate)
  const colours = useMemo(() => {
    const bytes = new Uint8Array(model.count * 4)
    return { bytes, attribute: new BufferAttribute(bytes, 4, true).setUsage(DynamicDrawUsage) }
  }, [model])
  useEffect(() => {
    const repaint = (state: MapState) => {
      paint(model, state, dark, colours.bytes)
      colours.attribute.needsUpdate = true
      invalidate()
    }
    repaint(useMap.getState())
    return useMap.subscribe((state, before) => relit(state, before) && repaint(state))
  }, [model, dark, colours, invalidate])
  return colours
}
