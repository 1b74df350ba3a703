"use client"
import { useThree } from "@react-three/fiber"
import { useMemo } from "react"
import { Matrix4, type PerspectiveCamera } from "three"
import type { MapModel } from "../model.ts"
import { makeScreen, project, type Screen } from "./projection.ts"

/** Places of all points on the screen, computed anew only when the camera has moved. */
export type Stage = {
  readonly screen: Screen
  /** Pixels that a unit takes at depth 1. */
  focal: number
  /** Brings `screen` up to date. */
  refresh(): void
}

export const focalOf = (camera: PerspectiveCamera, height: number): number =>
  height / (2 * Math.tan((camera.fov * Math.PI) / 360))

/** Layers that ask for the same model get stages that agree; the scene makes one and hands it down. */
export const useStage = (model: MapModel): Stage => {
  const get = useThree((s) => s.get)
  return useMemo(() => {
    const last = new Matrix4().set(...(Array(16).fill(Number.NaN) as Parameters<Matrix4["set"]>))
    const now = new Matrix4()
    let seen = { width: 0, height: 0 }
    const stage: Stage = {
      screen: makeScreen(model.count),
      focal: 1,
      refresh() {
        const { camera, size } = get()
        camera.updateMatrixWorld()
        now.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
        if (now.equals(last) && seen.width === size.width && seen.height === size.height) return
        last.copy(now)
        seen = size
        stage.focal = focalOf(camera as PerspectiveCamera, size.height)
        project(model.positions, now.elements, size.width, size.height, stage.screen)
      },
    }
    return stage
  }, [model, get])
}
