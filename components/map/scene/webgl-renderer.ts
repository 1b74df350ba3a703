"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useMemo } from "react"
import { BufferAttribute, DynamicDrawUsage, Matrix4 } from "three"
import type { MapModel } from "../state/model.ts"
import { type DisplayedPoints, type Projector, useDisplayedPoints } from "./displayed-points.ts"
import type { Look } from "./look.ts"
import { focalLengthPx, pick, project } from "./projection.ts"
import { createFrameCallbacks, type Renderer } from "./renderer.ts"

/** Displayed points whose positions are also a vertex attribute. */
export type WebglPoints = DisplayedPoints & { readonly attribute: BufferAttribute }

/** Creates the displayed points of a model, projected with the camera of the scene. */
export const useWebglPoints = (model: MapModel, look: Look): WebglPoints => {
  const get = useThree((s) => s.get)
  const projector = useMemo((): Projector => {
    const lastMatrix = new Matrix4()
    lastMatrix.elements[0] = Number.NaN
    const matrix = new Matrix4()
    let lastSize = { width: 0, height: 0 }
    return (positions, haveMoved, screen) => {
      const { camera, size } = get()
      camera.updateMatrixWorld()
      matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
      const isSameView = matrix.equals(lastMatrix) && lastSize.width === size.width && lastSize.height === size.height
      if (isSameView && !haveMoved) return null
      lastMatrix.copy(matrix)
      lastSize = size
      project(positions, matrix.elements, size.width, size.height, screen)
      return focalLengthPx(size.height)
    }
  }, [get])
  const displayed = useDisplayedPoints(model, look, projector)
  return useMemo(() => {
    const attribute = new BufferAttribute(displayed.positions, 3).setUsage(DynamicDrawUsage)
    const { markMoved } = displayed
    return Object.assign(displayed, {
      attribute,
      markMoved() {
        markMoved()
        attribute.needsUpdate = true
      },
    })
  }, [displayed])
}

/** Returns the scene of React Three Fiber as a renderer. */
export const useWebglRenderer = (model: MapModel, displayed: DisplayedPoints, look: Look): Renderer => {
  const get = useThree((s) => s.get)
  const element = useThree((s) => (s.events.connected ?? s.gl.domElement) as HTMLElement)
  const frames = useMemo(createFrameCallbacks, [])
  useFrame(() => frames.run("move"), -3)
  // With the default priority this runs after the camera has moved.
  useFrame(() => frames.run("follow"))
  return useMemo(
    () => ({
      element,
      displayed,
      getSize: () => get().size,
      getCameraDistance: () => get().camera.position.length(),
      invalidate: () => get().invalidate(),
      onFrame: frames.add,
      pick(at, reach) {
        displayed.refresh()
        return pick({
          screen: displayed.screen,
          radii: model.radii,
          at,
          focal: displayed.focal,
          reach,
          look: look.point,
        })
      },
      drawNow() {
        const { gl, scene, camera } = get()
        gl.render(scene, camera)
        return gl.domElement
      },
    }),
    [element, model, displayed, look, get, frames],
  )
}
