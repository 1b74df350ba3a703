"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo, useRef } from "react"
import { BufferAttribute, DynamicDrawUsage, Matrix4, type PerspectiveCamera } from "three"
import { getHighlighted } from "../state/highlight.ts"
import { type MapModel, topicKey } from "../state/model.ts"
import { useMap } from "../state/store.ts"
import type { Look } from "./look.ts"
import { makeScreen, project, type Screen, screenRadius } from "./projection.ts"

/** The positions at which the points are drawn, in the scene and on the screen. */
export type DisplayedPoints = {
  /** [n × 3]. Equal to the positions of the model except during a transition. */
  readonly positions: Float32Array
  /** The same positions as a vertex attribute. */
  readonly attribute: BufferAttribute
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

export const focalLengthPx = (camera: PerspectiveCamera, height: number): number =>
  height / (2 * Math.tan((camera.fov * Math.PI) / 360))

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
export const useDisplayedPoints = (model: MapModel, look: Look): DisplayedPoints => {
  const get = useThree((s) => s.get)
  const latestLook = useRef(look)
  latestLook.current = look
  const previous = useRef<Previous | null>(null)
  const displayed = useMemo(() => {
    const lastMatrix = new Matrix4()
    lastMatrix.elements[0] = Number.NaN
    const matrix = new Matrix4()
    let lastSize = { width: 0, height: 0 }
    const positions = startPositions(model, previous.current)
    const points: DisplayedPoints = {
      positions,
      attribute: new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage),
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
        const { camera, size } = get()
        camera.updateMatrixWorld()
        matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
        if (matrix.equals(lastMatrix) && lastSize.width === size.width && lastSize.height === size.height) return
        lastMatrix.copy(matrix)
        lastSize = size
        points.focal = focalLengthPx(camera as PerspectiveCamera, size.height)
        project(positions, matrix.elements, size.width, size.height, points.screen)
      },
      markMoved() {
        points.attribute.needsUpdate = true
        // NaN differs from every matrix, which forces the next refresh.
        lastMatrix.elements[0] = Number.NaN
      },
    }
    return points
  }, [model, get])
  useEffect(() => {
    previous.current = { model, positions: displayed.positions }
  }, [model, displayed])
  return displayed
}
