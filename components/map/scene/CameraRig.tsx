"use client"
import { useFrame, useThree } from "@react-three/fiber"
import CameraControls from "camera-controls"
import { useCallback, useEffect, useMemo, useRef } from "react"
import {
  Box3,
  Matrix4,
  type PerspectiveCamera,
  Quaternion,
  Raycaster,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
} from "three"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { type MapModel, RADIUS } from "../state/model.ts"
import { useMap, type View } from "../state/store.ts"
import { frameView, pickFirstDirection, type Vector } from "./framing.ts"
import type { Insets } from "./place-labels.ts"

/** Seconds in which the camera covers most of the way to its destination. */
const FLIGHT_SMOOTH_S = 0.2
/** A frame that took longer counts as this long, in seconds, so that the camera does not jump. */
const MAX_STEP_S = 0.25
/** The length of the first frame after a rest, in seconds: the time since the last frame says nothing. */
const FIRST_STEP_S = 1 / 60
/** Factor by which one zoom step changes the distance. */
const ZOOM_STEP = 0.65

const { ACTION } = CameraControls
type Actions = {
  readonly mouse: CameraControls["mouseButtons"]
  readonly touch: CameraControls["touches"]
}
const ORBIT: Actions = {
  mouse: { left: ACTION.ROTATE, middle: ACTION.DOLLY, right: ACTION.TRUCK, wheel: ACTION.DOLLY },
  touch: { one: ACTION.TOUCH_ROTATE, two: ACTION.TOUCH_DOLLY_TRUCK, three: ACTION.NONE },
}
const PAN: Actions = {
  mouse: { ...ORBIT.mouse, left: ACTION.TRUCK },
  touch: { ...ORBIT.touch, one: ACTION.TOUCH_TRUCK },
}
/** `enabled = false` would give touch gestures back to the browser, which would end a lasso drawn by finger. */
const OFF: Actions = {
  mouse: { left: ACTION.NONE, middle: ACTION.NONE, right: ACTION.NONE, wheel: ACTION.NONE },
  touch: { one: ACTION.NONE, two: ACTION.NONE, three: ACTION.NONE },
}

const createControls = (camera: PerspectiveCamera): CameraControls => {
  CameraControls.install({
    THREE: { Box3, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 },
  })
  const controls = new CameraControls(camera)
  controls.smoothTime = FLIGHT_SMOOTH_S
  controls.azimuthRotateSpeed = 0.7
  controls.polarRotateSpeed = 0.7
  controls.dollySpeed = 0.4
  controls.minDistance = 1.5
  controls.maxDistance = RADIUS * 14
  return controls
}

const setPose = (controls: CameraControls, pose: readonly number[]) => {
  const [x, y, z, tx, ty, tz] = pose as [number, number, number, number, number, number]
  void controls.setLookAt(x, y, z, tx, ty, tz, false)
}

/** Returns position and target where the current movement will end, or where the camera is now. */
const getPose = (controls: CameraControls, atEnd: boolean): number[] => [
  ...controls.getPosition(new Vector3(), atEnd),
  ...controls.getTarget(new Vector3(), atEnd),
]

const toVector = ({ x, y, z }: Vector3): Vector => [x, y, z]

const isZoomStep = ({ to }: View): boolean => to === "zoom-in" || to === "zoom-out"

/** Moves the camera by pointer and on request of the store. Shifts the view so that its center lies between the panels. */
export const CameraRig = ({ model, insets }: { model: MapModel; insets: Insets }) => {
  const camera = useThree((s) => s.camera as PerspectiveCamera)
  const element = useThree((s) => (s.events.connected ?? s.gl.domElement) as HTMLElement)
  const size = useThree((s) => s.size)
  const invalidate = useThree((s) => s.invalidate)
  const get = useThree((s) => s.get)
  const controls = useMemo(() => createControls(camera), [camera])
  const latestInsets = useRef(insets)
  latestInsets.current = insets

  useEffect(() => {
    const { width, height } = size
    const { left, right, top, bottom } = insets
    camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height)
    invalidate()
  }, [camera, size, insets, invalidate])

  const savedPose = useRef<readonly number[] | null>(null)
  const savePose = useCallback(() => {
    savedPose.current = getPose(controls, true).map((v) => Math.round(v * 100) / 100)
    useMap.setState({ camera: savedPose.current })
  }, [controls])

  useEffect(() => {
    controls.connect(element)
    return () => controls.disconnect()
  }, [controls, element])

  useEffect(() => {
    let isDragging = false
    const onStart = () => {
      isDragging = true
      // A drag ends the current flight.
      setPose(controls, getPose(controls, false))
    }
    const onControl = () => {
      // The wheel changes the view without a drag.
      if (!isDragging) savePose()
      invalidate()
    }
    const onEnd = () => {
      isDragging = false
      savePose()
    }
    controls.addEventListener("controlstart", onStart)
    controls.addEventListener("control", onControl)
    controls.addEventListener("controlend", onEnd)
    return () => {
      controls.removeEventListener("controlstart", onStart)
      controls.removeEventListener("control", onControl)
      controls.removeEventListener("controlend", onEnd)
    }
  }, [controls, invalidate, savePose])

  const lasso = useMap((s) => s.tool === "lasso")
  const flat = useMap((s) => s.flat)
  useEffect(() => {
    const { mouse, touch } = lasso ? OFF : flat ? PAN : ORBIT
    Object.assign(controls.mouseButtons, mouse)
    Object.assign(controls.touches, touch)
  }, [controls, lasso, flat])

  const go = useCallback(
    (view: View, animate: boolean) => {
      const target = controls.getTarget(new Vector3())
      const toCamera = controls.getPosition(new Vector3()).sub(target)
      const away = toCamera.length()
      const { flat, coloring } = useMap.getState()
      const direction: Vector = flat ? [0, 0, 1] : toVector(toCamera.normalize())
      const { width, height } = get().size
      const { center, distance } = isZoomStep(view)
        ? { center: toVector(target), distance: away * (view.to === "zoom-in" ? ZOOM_STEP : 1 / ZOOM_STEP) }
        : frameView(model, { view, coloring }, direction, away, {
            width,
            height,
            insets: latestInsets.current,
          })
      const isSmooth = animate && !prefersReducedMotion()
      void controls.moveTo(...center, isSmooth)
      void controls.dollyTo(distance, isSmooth)
      if (flat) {
        controls.normalizeRotations()
        void controls.rotateTo(0, Math.PI / 2, isSmooth)
      }
      if (isZoomStep(view)) savePose()
      invalidate()
    },
    [controls, get, invalidate, model, savePose],
  )

  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      const { view, camera: pose } = useMap.getState()
      const { width, height } = get().size
      const from = pickFirstDirection(model, { width, height, insets: latestInsets.current })
      setPose(controls, [...from.map((v) => v * RADIUS * 4), 0, 0, 0])
      go({ to: "all", index: -1 }, false)
      if (view.to === "all") void controls.dollyTo(1.18 * controls.distance, false)
      if (pose) setPose(controls, pose)
      else go(view, true)
    }
    let frame = 0
    const stop = useMap.subscribe((s, before) => {
      if (s.camera !== before.camera && s.camera !== null && s.camera !== savedPose.current) {
        setPose(controls, s.camera)
        invalidate()
        return
      }
      if (s.view === before.view) return
      if (s.camera !== null) useMap.setState({ camera: null })
      // The same change may open or close a panel. Wait a frame for its layout and one more for the new insets.
      cancelAnimationFrame(frame)
      if (isZoomStep(s.view)) return go(s.view, true)
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => go(s.view, true))
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [controls, get, go, invalidate, model])

  const isMoving = useRef(false)
  useFrame((_, delta) => {
    isMoving.current = controls.update(isMoving.current ? Math.min(delta, MAX_STEP_S) : FIRST_STEP_S)
    if (isMoving.current) invalidate()
  }, -2)
  return null
}
