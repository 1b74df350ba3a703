"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { Matrix4 } from "three"

/** Slower than this the eye sees steps. */
const SLOW_MS = 30
const FAST_MS = 18
/** A map that has not moved for so long rests; on a machine that takes longer for a frame, for two frames. */
const REST_MS = 160
/** Frames farther apart are not of one movement. */
const PAUSE_MS = 1500
/** A view matrix that differs by less moves no point by a tenth of a pixel. */
const STILL = 2e-4
const LEAST = 0.5
const STEP = 0.75

const differ = (a: Matrix4, b: Matrix4): boolean =>
  a.elements.some((v, i) => Math.abs(v - b.elements[i]!) > (i < 12 ? STILL : 10 * STILL))

/**
 * Fewer pixels while the map moves, where the machine cannot draw all of them in time; all of them as soon as it rests.
 * Labels are text of the page and stay sharp.
 */
export const Resolution = () => {
  const get = useThree((s) => s.get)
  const pace = useMemo(() => {
    const view = new Matrix4()
    let share = 1
    let before = 0
    let fast = 0
    let rest: ReturnType<typeof setTimeout> | undefined
    const use = (wanted: number) => {
      const { gl, viewport } = get()
      const ratio = viewport.dpr * wanted
      if (Math.abs(gl.getPixelRatio() - ratio) > 0.01) gl.setPixelRatio(ratio)
    }
    const settle = () => {
      before = 0
      const { gl, viewport, invalidate } = get()
      if (Math.abs(gl.getPixelRatio() - viewport.dpr) > 0.01) invalidate()
    }
    return {
      tick() {
        const { camera } = get()
        const moved = differ(view, camera.matrixWorldInverse)
        view.copy(camera.matrixWorldInverse)
        const now = performance.now()
        const took = before > 0 ? now - before : PAUSE_MS
        before = now
        clearTimeout(rest)
        if (!moved) return use(1)
        rest = setTimeout(settle, Math.max(REST_MS, took < PAUSE_MS ? 2 * took : 0))
        if (took < PAUSE_MS) {
          fast = took < FAST_MS ? fast + 1 : 0
          if (took > SLOW_MS) share = Math.max(LEAST, share * STEP)
          else if (fast > 40) {
            share = Math.min(1, share / STEP)
            fast = 0
          }
        }
        use(share)
      },
      stop: () => clearTimeout(rest),
    }
  }, [get])
  useEffect(() => pace.stop, [pace])
  useFrame(pace.tick, -1)
  return null
}
