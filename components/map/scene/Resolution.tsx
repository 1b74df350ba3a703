"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { Matrix4 } from "three"

/** Frames slower than this are visibly not smooth. */
const SLOW_MS = 30
const FAST_MS = 18
/** The map is at rest after this time without movement, or after two frames if those take longer. */
const REST_MS = 160
/** Frames farther apart belong to separate movements. */
const PAUSE_MS = 1500
/** A smaller change of the view matrix moves no point by a tenth of a pixel. */
const MATRIX_TOLERANCE = 2e-4
const MIN_SHARE = 0.5
const SHARE_STEP = 0.75
/** Consecutive fast frames after which the resolution increases. */
const FAST_FRAMES = 40

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
    let share = 1
    let previous = 0
    let fast = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    const setShare = (value: number) => {
      const { gl, viewport } = get()
      const ratio = viewport.dpr * value
      if (Math.abs(gl.getPixelRatio() - ratio) > 0.01) gl.setPixelRatio(ratio)
    }
    const settle = () => {
      previous = 0
      const { gl, viewport, invalidate } = get()
      if (Math.abs(gl.getPixelRatio() - viewport.dpr) > 0.01) invalidate()
    }
    return {
      tick() {
        const { camera } = get()
        const moved = hasMoved(view, camera.matrixWorldInverse)
        view.copy(camera.matrixWorldInverse)
        const now = performance.now()
        const took = previous > 0 ? now - previous : PAUSE_MS
        previous = now
        clearTimeout(rest)
        if (!moved) return setShare(1)
        rest = setTimeout(settle, Math.max(REST_MS, took < PAUSE_MS ? 2 * took : 0))
        if (took < PAUSE_MS) {
          fast = took < FAST_MS ? fast + 1 : 0
          if (took > SLOW_MS) share = Math.max(MIN_SHARE, share * SHARE_STEP)
          else if (fast > FAST_FRAMES) {
            share = Math.min(1, share / SHARE_STEP)
            fast = 0
          }
        }
        setShare(share)
      },
      stop: () => clearTimeout(rest),
    }
  }, [get])
  useEffect(() => control.stop, [control])
  useFrame(control.tick, -1)
  return null
}
