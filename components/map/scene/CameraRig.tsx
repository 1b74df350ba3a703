"use client"
import { OrbitControls } from "@react-three/drei/core/OrbitControls"
import { useFrame, useThree } from "@react-three/fiber"
import { type ComponentRef, useCallback, useEffect, useRef } from "react"
import { MOUSE, type PerspectiveCamera, TOUCH, Vector3 } from "three"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { type MapModel, RADIUS } from "../state/model.ts"
import { useMap, type View } from "../state/store.ts"
import { ease, frameOf, outlook } from "./framing.ts"
import type { Insets } from "./place-labels.ts"

const FLIGHT_MS = 700
/** A turn that was let go runs out by this time constant, in seconds, whatever the frames take; longer pauses count as one. */
const RUN_OUT_S = 0.13
const PAUSE_S = 0.25
/** What one press of a zoom button leaves of the distance. */
const STEP = 0.65
/** A turn that was let go has run out by then. */
const AT_REST_MS = RUN_OUT_S * 10_000
const isStep = ({ to }: View): boolean => to === "nearer" || to === "farther"

const IN_SPACE = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN }
const IN_PLANE = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN }

const FINGERS_IN_SPACE = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN }
const FINGERS_IN_PLANE = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN }

type Orbit = ComponentRef<typeof OrbitControls>

/** Puts the eye and what it looks at where six numbers say. */
const place = (camera: PerspectiveCamera, orbit: Orbit | null, at: readonly number[]) => {
  camera.position.fromArray(at)
  orbit?.target.fromArray(at, 3)
  orbit?.update()
}

type Flight = { eye: [Vector3, Vector3]; target: [Vector3, Vector3]; start: number }

/** Orbit by hand, flights by wish. The map's middle lies in the middle of what the panels leave free. */
export const CameraRig = ({ model, insets }: { model: MapModel; insets: Insets }) => {
  const camera = useThree((s) => s.camera as PerspectiveCamera)
  const size = useThree((s) => s.size)
  const invalidate = useThree((s) => s.invalidate)
  const get = useThree((s) => s.get)
  const controls = useRef<Orbit>(null)
  const flight = useRef<Flight | null>(null)
  const insetsNow = useRef(insets)
  insetsNow.current = insets

  useEffect(() => {
    const { width, height } = size
    const { left, right, top, bottom } = insets
    camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height)
    invalidate()
  }, [camera, size, insets, invalidate])

  const lensNow = useCallback(() => {
    const { width, height } = get().size
    return { fov: camera.fov, width, height, insets: insetsNow.current }
  }, [camera, get])

  const posed = useRef<readonly number[] | null>(null)
  const pose = useCallback(() => {
    const orbit = controls.current
    if (!orbit || flight.current) return
    posed.current = [...camera.position, ...orbit.target].map((v) => Math.round(v * 100) / 100)
    useMap.setState({ camera: posed.current })
  }, [camera])
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(rest.current), [])

  const go = useCallback(
    (view: View, still: boolean) => {
      const orbit = controls.current
      if (!orbit) return
      const toEye = camera.position.clone().sub(orbit.target)
      const away = toEye.length()
      // A plane is looked at from straight above.
      const direction = useMap.getState().flat ? new Vector3(0, 0, 1) : toEye.normalize()
      const { centre, distance } = isStep(view)
        ? { centre: orbit.target.clone(), distance: away * (view.to === "nearer" ? STEP : 1 / STEP) }
        : frameOf(model, view, direction, away, lensNow())
      const eye = centre.clone().addScaledVector(direction, distance)
      if (still || prefersReducedMotion()) {
        camera.position.copy(eye)
        orbit.target.copy(centre)
        orbit.update()
        if (isStep(view)) pose()
      } else {
        flight.current = {
          eye: [camera.position.clone(), eye],
          target: [orbit.target.clone(), centre],
          start: performance.now(),
        }
      }
      invalidate()
    },
    [camera, invalidate, lensNow, model, pose],
  )

  const first = useRef(true)
  useEffect(() => {
    const { view, camera: kept } = useMap.getState()
    if (first.current) {
      camera.position.copy(outlook(model, lensNow())).multiplyScalar(RADIUS * 4)
      go({ to: "all", index: -1 }, true)
      if (view.to === "all") camera.position.multiplyScalar(1.18)
      if (kept) place(camera, controls.current, kept)
      else go(view, false)
      first.current = false
    }
    let frame = 0
    const stop = useMap.subscribe((s, before) => {
      if (s.camera !== before.camera && s.camera !== null && s.camera !== posed.current) {
        flight.current = null
        place(camera, controls.current, s.camera)
        invalidate()
        return
      }
      if (s.view === before.view) return
      if (s.camera !== null) useMap.setState({ camera: null })
      // A frame later the panels that this wish opens or closes have their room.
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => go(s.view, false))
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [camera, go, invalidate, lensNow, model])

  const drawing = useMap((s) => s.tool === "lasso")
  const flat = useMap((s) => s.flat)
  useFrame((_, delta) => {
    const now = flight.current
    const orbit = controls.current
    if (orbit) orbit.dampingFactor = 1 - Math.exp(-Math.min(delta, PAUSE_S) / RUN_OUT_S)
    if (!now || !orbit) return
    const t = Math.min(1, (performance.now() - now.start) / FLIGHT_MS)
    camera.position.lerpVectors(now.eye[0], now.eye[1], ease(t))
    orbit.target.lerpVectors(now.target[0], now.target[1], ease(t))
    if (t === 1) {
      flight.current = null
      // Other flights end where the topic or the recording in the address says.
      if (isStep(useMap.getState().view)) pose()
    }
    invalidate()
  }, -2)

  return (
    <OrbitControls
      ref={controls}
      makeDefault
      rotateSpeed={0.7}
      zoomSpeed={1.3}
      minDistance={1.5}
      maxDistance={RADIUS * 14}
      enabled={!drawing}
      enableRotate={!flat}
      mouseButtons={flat ? IN_PLANE : IN_SPACE}
      touches={flat ? FINGERS_IN_PLANE : FINGERS_IN_SPACE}
      onEnd={() => {
        pose()
        rest.current = setTimeout(pose, AT_REST_MS)
      }}
      onStart={() => {
        clearTimeout(rest.current)
        flight.current = null
      }}
    />
  )
}
