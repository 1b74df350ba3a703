"use client"
import { useEffect, useMemo, useRef } from "react"
import { getHighlighted } from "../state/highlight.ts"
import { type MapModel, topicKey } from "../state/model.ts"
import { useMap } from "../state/store.ts"
import type { Look } from "./look.ts"
import { makeScreen, type Screen, screenRadius } from "./projection.ts"

/** The positions at which the points are drawn, in the scene and on the screen. */
export type DisplayedPoints = {
  /** [n × 3]. Equal to the positions of the model except during a transition. */
  readonly positions: Float32Array
  readonly screen: Screen
  /** Size in CSS pixels of one scene unit at depth 1. */
  focal: number
  /** Returns the radius of a disc on the screen in CSS pixels. */
  radiusPx(index: number): number
  /** Updates `screen` and `focal` if the camera or the points have moved. */
  refresh(): void
  /** Must be called after writing to `positions`. */
  markMoved(): void
}

/**
 * Projects positions to the screen if the view has changed since the last call, or if `haveMoved`. Returns the size in CSS pixels of
 * a scene unit at depth 1, or null if there was nothing to do.
 */
export type Projector = (positions: Float32Array, haveMoved: boolean, out: Screen) => number | null

type Previous = { readonly model: MapModel; readonly positions: Float32Array }

/** Returns the positions of a new model, with topics of the previous one where they were displayed last. */
const startPositions = (model: MapModel, previous: Previous | null): Float32Array => {
  const positions = model.positions.slice()
  if (!previous) return positions
  const oldIndex = new Map(previous.model.points.map((_, i) => [topicKey(previous.model, i), i]))
  for (let i = 0; i < model.count; i++) {
    const old = oldIndex.get(topicKey(model, i))
    if (old !== undefined) positions.set(previous.positions.subarray(3 * old, 3 * old + 3), 3 * i)
  }
  return positions
}

/** Creates the displayed points of a model. The scene calls this once and passes the result to its layers. */
export const useDisplayedPoints = (model: MapModel, look: Look, project: Projector): DisplayedPoints => {
  const latestLook = useRef(look)
  latestLook.current = look
  const previous = useRef<Previous | null>(null)
  const displayed = useMemo(() => {
    let haveMoved = true
    const points: DisplayedPoints = {
      positions: startPositions(model, previous.current),
      screen: makeScreen(model.count),
      focal: 1,
      radiusPx(index) {
        const { point } = latestLook.current
        const radius = screenRadius(model.radii[index]!, points.screen.depth[index]!, points.focal, point)
        const state = useMap.getState()
        const isHit = state.hits !== null && getHighlighted(state)[index] === 1
        return isHit ? Math.max(point.minHitRadiusPx, radius) : radius
      },
      refresh() {
        points.focal = project(points.positions, haveMoved, points.screen) ?? points.focal
        haveMoved = false
      },
      markMoved() {
        haveMoved = true
      },
    }
    return points
  }, [model, project])
  useEffect(() => {
    previous.current = { model, positions: displayed.positions }
  }, [model, displayed])
  return displayed
}
