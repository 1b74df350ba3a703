"use client"
import { useEffect, useMemo } from "react"
import { computeHighlighted, highlightChanged } from "../state/highlight.ts"
import type { MapModel } from "../state/model.ts"
import { getColor } from "../state/palette.ts"
import { type MapState, useMap } from "../state/store.ts"

/** Writes the color of every point as four bytes: red, green, blue, and 255 if it is highlighted or 0 if it is dimmed. */
export const writePointColors = (model: MapModel, state: MapState, dark: boolean, out: Uint8Array): void => {
  const { ids, ranks } = model.groupings[state.coloring]
  const colorOfGroup = Array.from(ranks, (rank) => getColor(state.coloring, rank, dark))
  const highlighted = computeHighlighted(state)
  for (let i = 0, k = 0; i < model.count; i++, k += 4) {
    const color = colorOfGroup[ids[i]!]!
    out[k] = color[0]
    out[k + 1] = color[1]
    out[k + 2] = color[2]
    out[k + 3] = highlighted[i]! * 255
  }
}

/** Returns the point colors as bytes, which are updated in place. `onChange` is called after each update and must be stable. */
export const usePointColors = (model: MapModel, dark: boolean, onChange: () => void): Uint8Array => {
  const bytes = useMemo(() => new Uint8Array(model.count * 4), [model])
  useEffect(() => {
    const update = (state: MapState) => {
      writePointColors(model, state, dark, bytes)
      onChange()
    }
    update(useMap.getState())
    return useMap.subscribe((state, before) => highlightChanged(state, before) && update(state))
  }, [model, dark, bytes, onChange])
  return bytes
}
