import { prefersReducedMotion } from "../../ui/use-media.ts"
import { useMap } from "../state/store.ts"
import { clampPose, type PlanePose, type PlaneView, panBy, stepTowards, toPlane, zoomAt } from "./plane-camera.ts"

/** The distance changes by e to the power of this, per pixel of the wheel. A notch of 120 px zooms by a quarter. */
const WHEEL_SPEED = 0.0018
/** A pinch on a touchpad arrives as a wheel with small steps and the Control key. */
const PINCH_SPEED = 0.01
/** A notch of a wheel that reports lines or pages, in pixels. */
const LINE_PX = 32
/** A wheel cannot change the distance by more than this factor at once. */
const MAX_WHEEL_FACTOR = 2

type Place = { readonly x: number; readonly y: number }

type ControlsOptions = {
  readonly element: HTMLElement
  readonly getView: () => PlaneView
  readonly invalidate: () => void
  /** Called when a movement by hand has ended, with the pose where it will come to rest. */
  readonly onMoved: (pose: PlanePose) => void
}

const wheelPixels = ({ deltaY, deltaMode }: WheelEvent, height: number): number => {
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return deltaY * LINE_PX
  return deltaMode === WheelEvent.DOM_DELTA_PAGE ? deltaY * height : deltaY
}

/** Returns the factor by which a wheel event changes the distance. */
export const wheelFactor = (event: WheelEvent, height: number): number => {
  const factor = Math.exp(wheelPixels(event, height) * (event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED))
  return Math.min(MAX_WHEEL_FACTOR, Math.max(1 / MAX_WHEEL_FACTOR, factor))
}

const middleOf = (places: readonly Place[]): Place => ({
  x: places.reduce((sum, p) => sum + p.x, 0) / places.length,
  y: places.reduce((sum, p) => sum + p.y, 0) / places.length,
})

/** Returns the mean distance of the places from their middle. */
const spreadOf = (places: readonly Place[]): number => {
  const middle = middleOf(places)
  return places.reduce((sum, p) => sum + Math.hypot(p.x - middle.x, p.y - middle.y), 0) / places.length
}

/** The camera over the plane, moved by pointer, wheel and pinch, and by flights. */
export const createPlaneControls = ({ element, getView, invalidate, onMoved }: ControlsOptions) => {
  let pose: PlanePose = { x: 0, y: 0, distance: 40 }
  let destination: PlanePose | null = null
  const pointers = new Map<number, Place>()
  let hasMoved = false

  const flyTo = (to: PlanePose, animate: boolean) => {
    const isSmooth = animate && !prefersReducedMotion()
    destination = isSmooth ? clampPose(to) : null
    if (!isSmooth) pose = clampPose(to)
    invalidate()
  }
  const placeOf = (event: MouseEvent): Place => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const onDown = (event: PointerEvent) => {
    if (useMap.getState().tool === "lasso" || pointers.size === 2) return
    if (pointers.size === 0) hasMoved = false
    pointers.set(event.pointerId, placeOf(event))
    element.setPointerCapture(event.pointerId)
    // A drag ends the current flight.
    destination = null
  }
  const onMove = (event: PointerEvent) => {
    if (!pointers.has(event.pointerId)) return
    const before = [...pointers.values()]
    pointers.set(event.pointerId, placeOf(event))
    const after = [...pointers.values()]
    const view = getView()
    const [from, to] = [middleOf(before), middleOf(after)]
    pose =
      after.length === 1
        ? panBy(pose, to.x - from.x, to.y - from.y, view)
        : zoomAt(pose, spreadOf(before) / Math.max(1, spreadOf(after)), toPlane(pose, from, view), to, view)
    hasMoved = true
    invalidate()
  }
  const onEnd = (event: PointerEvent) => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 && hasMoved) onMoved(pose)
  }
  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    const view = getView()
    const at = placeOf(event)
    const to = zoomAt(destination ?? pose, wheelFactor(event, view.height), toPlane(pose, at, view), at, view)
    flyTo(to, true)
    onMoved(destination ?? pose)
  }
  const preventMenu = (event: Event) => event.preventDefault()
  return {
    getPose: () => pose,
    /** Returns the pose where the current flight ends, or the current one. */
    getDestination: () => destination ?? pose,
    flyTo,
    /** Moves along the current flight. Returns true while it lasts. */
    step(seconds: number): boolean {
      if (!destination) return false
      pose = stepTowards(pose, destination, seconds)
      if (pose === destination) destination = null
      return destination !== null
    },
    /** Listens to the pointer. @returns a function that ends this */
    connect(): () => void {
      element.addEventListener("pointerdown", onDown)
      element.addEventListener("pointermove", onMove)
      element.addEventListener("pointerup", onEnd)
      element.addEventListener("pointercancel", onEnd)
      element.addEventListener("wheel", onWheel, { passive: false })
      element.addEventListener("contextmenu", preventMenu)
      return () => {
        pointers.clear()
        element.removeEventListener("pointerdown", onDown)
        element.removeEventListener("pointermove", onMove)
        element.removeEventListener("pointerup", onEnd)
        element.removeEventListener("pointercancel", onEnd)
        element.removeEventListener("wheel", onWheel)
        element.removeEventListener("contextmenu", preventMenu)
      }
    },
  }
}

export type PlaneControls = ReturnType<typeof createPlaneControls>
