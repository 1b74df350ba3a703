"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { Matrix4 } from "three"
import { createAdaptiveResolution } from "./adaptive-resolution.ts"

/** A smaller change of the view matrix moves no point by a tenth of a pixel. */
const MATRIX_TOLERANCE = 2e-4
const hasMoved = (a: Matrix4, b: Matrix4): boolean =>
  a.elements.some((v, i) => Math.abs(v - b.elements[i]!) > (i < 12 ? MATRIX_TOLERANCE : 10 * MATRIX_TOLERANCE))

/**
 * Lowers the resolution while the map moves if the machine is too slow to draw all pixels, and restores it at rest.
 * Labels are DOM elements and stay sharp.
 */
export const Resolution = () => {
  const get = useThree((s) => s.get)
  const control = useMemo(() => {
    const view = new Matrix4()
    const resolution = createAdaptiveResolution(() => {
      const { gl, viewport, invalidate } = get()
      if (Math.abs(gl.getPixelRatio() - viewport.dpr) > 0.01) invalidate()
    })
    return {
      tick() {
        const { camera, gl, viewport } = get()
        const moved = hasMoved(view, camera.matrixWorldInverse)
        view.copy(camera.matrixWorldInverse)
        const ratio = viewport.dpr * resolution.tick(moved, performance.now())
        if (Math.abs(gl.getPixelRatio() - ratio) > 0.01) gl.setPixelRatio(ratio)
      },
      stop: resolution.stop,
    }
  }, [get])
  useEffect(() => control.stop, [control])
  useFrame(control.tick, -1)
  return null
}
