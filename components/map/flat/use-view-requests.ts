"use client"
import { type RefObject, useEffect, useRef } from "react"
import { frameView } from "../scene/framing.ts"
import type { MapModel } from "../state/model.ts"
import { useMap, type View } from "../state/store.ts"
import { fromCamera, type PlanePose, type PlaneView } from "./plane-camera.ts"
import type { PlaneControls } from "./plane-controls.ts"

/** Factor by which one zoom step changes the distance, as in the 3-D scene. */
const ZOOM_STEP = 0.65
const isZoomStep = ({ to }: View): boolean => to === "zoom-in" || to === "zoom-out"
const DOWN = [0, 0, 1] as const

type ViewRequestsOptions = {
  model: MapModel
  controls: PlaneControls
  getView: () => PlaneView
  /** The camera that the page itself wrote to the store last. */
  savedCamera: RefObject<readonly number[] | null>
  savePose: (pose: PlanePose) => void
}

/** Moves the camera on request of the store: to the whole map, a group, a recording or a topic, and by zoom steps. */
export const useViewRequests = ({ model, controls, getView, savedCamera, savePose }: ViewRequestsOptions) => {
  const isFirst = useRef(true)
  useEffect(() => {
    const go = (view: View, animate: boolean) => {
      const from = controls.getDestination()
      if (isZoomStep(view)) {
        const to = { ...from, distance: from.distance * (view.to === "zoom-in" ? ZOOM_STEP : 1 / ZOOM_STEP) }
        controls.flyTo(to, animate)
        return savePose(controls.getDestination())
      }
      const { coloring } = useMap.getState()
      const { center, distance } = frameView(model, { view, coloring }, DOWN, from.distance, getView())
      controls.flyTo({ x: center[0], y: center[1], distance }, animate)
    }
    if (isFirst.current) {
      isFirst.current = false
      const { view, camera } = useMap.getState()
      go({ to: "all", index: -1 }, false)
      const whole = controls.getPose()
      if (view.to === "all") controls.flyTo({ ...whole, distance: 1.18 * whole.distance }, false)
      if (camera) controls.flyTo(fromCamera(camera), false)
      else go(view, true)
    }
    let frame = 0
    const stop = useMap.subscribe((s, before) => {
      if (s.camera !== before.camera && s.camera !== null && s.camera !== savedCamera.current)
        return controls.flyTo(fromCamera(s.camera), false)
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
  }, [model, controls, getView, savedCamera, savePose])
}
