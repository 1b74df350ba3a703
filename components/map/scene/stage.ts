"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo, useRef } from "react"
import { BufferAttribute, DynamicDrawUsage, Matrix4, type PerspectiveCamera } from "three"
import { topicKey } from "../state/address.ts"
import type { MapModel } from "../state/model.ts"
import { makeScreen, project, type Screen } from "./projection.ts"

/** Where the points are drawn now, and where that is on the screen. */
export type Stage = {
  /** [n × 3]: the model's positions, but for the time of a passage from other ones. */
  readonly places: Float32Array
  /** The same as points and edges have it, a vertex each. */
  readonly at: BufferAttribute
  readonly screen: Screen
  /** Pixels that a unit takes at depth 1. */
  focal: number
  /** Brings `screen` up to date; computed anew only when the camera or the points have moved. */
  refresh(): void
  /** To be called when `places` were written. */
  moved(): void
}

export const focalOf = (camera: PerspectiveCamera, height: number): number =>
  height / (2 * Math.tan((camera.fov * Math.PI) / 360))

/** The places of a model at its beginning: topics that were on the map before start where they were. */
const startOf = (model: MapModel, before: { model: MapModel; places: Float32Array } | null): Float32Array => {
  const places = model.positions.slice()
  if (!before) return places
  const known = new Map(before.model.points.map((_, i) => [topicKey(before.model, i), i]))
  for (let i = 0; i < model.count; i++) {
    const was = known.get(topicKey(model, i))
    if (was !== undefined) places.set(before.places.subarray(3 * was, 3 * was + 3), 3 * i)
  }
  return places
}

/** Layers that ask for the same model get stages that agree; the scene makes one and hands it down. */
export const useStage = (model: MapModel): Stage => {
  const get = useThree((s) => s.get)
  const before = useRef<{ model: MapModel; places: Float32Array } | null>(null)
  const stage = useMemo(() => {
    const last = new Matrix4().set(...(Array(16).fill(Number.NaN) as Parameters<Matrix4["set"]>))
    const now = new Matrix4()
    let seen = { width: 0, height: 0 }
    const places = startOf(model, before.current)
    const made: Stage = {
      places,
      at: new BufferAttribute(places, 3).setUsage(DynamicDrawUsage),
      screen: makeScreen(model.count),
      focal: 1,
      refresh() {
        const { camera, size } = get()
        camera.updateMatrixWorld()
        now.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
        if (now.equals(last) && seen.width === size.width && seen.height === size.height) return
        last.copy(now)
        seen = size
        made.focal = focalOf(camera as PerspectiveCamera, size.height)
        project(places, now.elements, size.width, size.height, made.screen)
      },
      moved() {
        made.at.needsUpdate = true
        last.elements[0] = Number.NaN
      },
    }
    return made
  }, [model, get])
  useEffect(() => {
    before.current = { model, places: stage.places }
  }, [model, stage])
  return stage
}
