"use client"
import { useCallback, useEffect, useMemo, useRef } from "react"
import { createAdaptiveResolution } from "../scene/adaptive-resolution.ts"
import { type Projector, useDisplayedPoints } from "../scene/displayed-points.ts"
import type { Look } from "../scene/look.ts"
import type { Insets } from "../scene/place-labels.ts"
import { usePointColors } from "../scene/point-colors.ts"
import { focalLengthPx, pickAmong } from "../scene/projection.ts"
import { createFrameCallbacks, type Renderer, type ViewSize } from "../scene/renderer.ts"
import type { SceneTheme } from "../scene/theme.ts"
import type { MapModel } from "../state/model.ts"
import { useMap } from "../state/store.ts"
import { createFrameLoop } from "./frame-loop.ts"
import { createPainter, type Painter } from "./painter.ts"
import { type PlanePose, type PlaneView, projectPlane, scaleOf, toCamera, toPlane } from "./plane-camera.ts"
import { createPlaneControls } from "./plane-controls.ts"
import { buildPointGrid, type PointGrid } from "./point-grid.ts"
import { useViewRequests } from "./use-view-requests.ts"

type FlatRendererOptions = {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
  /** With all points in the plane. */
  readonly model: MapModel
  readonly size: ViewSize
  /** Device pixels of a CSS pixel. */
  readonly ratio: number
  readonly insets: Insets
  readonly theme: SceneTheme
  readonly dark: boolean
  readonly look: Look
}

/** Draws the map on a 2-D canvas. Returns the renderer and the colors of the points, four bytes each. */
export const useFlatRenderer = (options: FlatRendererOptions): { renderer: Renderer; colors: Uint8Array } => {
  const { canvas, context, model, size, ratio, insets, theme, dark, look } = options
  const latest = useRef(options)
  latest.current = options
  const painter = useRef<Painter | null>(null)
  const frames = useMemo(createFrameCallbacks, [])
  const drawFrame = useRef<(seconds: number) => void>(() => undefined)
  const loop = useMemo(() => createFrameLoop((seconds) => drawFrame.current(seconds)), [])
  useEffect(() => loop.stop, [loop])

  const getView = useCallback((): PlaneView => {
    const { size, insets } = latest.current
    return { ...size, insets }
  }, [])
  const savedCamera = useRef<readonly number[] | null>(null)
  const savePose = useCallback((pose: PlanePose) => {
    savedCamera.current = toCamera(pose)
    useMap.setState({ camera: savedCamera.current })
  }, [])
  const controls = useMemo(
    () => createPlaneControls({ element: canvas, getView, invalidate: loop.invalidate, onMoved: savePose }),
    [canvas, getView, loop, savePose],
  )
  useEffect(() => controls.connect(), [controls])

  const projector = useMemo((): Projector => {
    let last: { pose: PlanePose; size: ViewSize; insets: Insets } | null = null
    return (positions, haveMoved, screen) => {
      const pose = controls.getPose()
      const { size, insets } = latest.current
      if (!haveMoved && last?.pose === pose && last.size === size && last.insets === insets) return null
      last = { pose, size, insets }
      projectPlane(positions, pose, getView(), screen)
      return focalLengthPx(size.height)
    }
  }, [controls, getView])
  const displayed = useDisplayedPoints(model, look, projector)
  const { points, getGrid } = useMemo(() => {
    let grid: PointGrid | null = null
    const { markMoved } = displayed
    const points = Object.assign(displayed, {
      markMoved() {
        markMoved()
        grid = null
        painter.current?.markMoved()
      },
    })
    return {
      points,
      getGrid: () => {
        grid ??= buildPointGrid(points.positions)
        return grid
      },
    }
  }, [displayed])

  const onColors = useCallback(() => {
    painter.current?.updateColors()
    loop.invalidate()
  }, [loop])
  const colors = usePointColors(model, dark, onColors)
  useEffect(() => {
    const created = createPainter({ context, model, displayed: points, colors, theme, look })
    painter.current = created
    created.updateColors()
    created.update(useMap.getState(), null)
    loop.invalidate()
    return useMap.subscribe((state, before) => {
      created.update(state, before)
      if (state.selected !== before.selected || state.hits !== before.hits || state.allEdges !== before.allEdges)
        loop.invalidate()
    })
  }, [context, model, points, colors, theme, look, loop])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view depends on size and insets.
  useEffect(loop.invalidate, [size, ratio, insets, loop])

  const draw = useCallback(
    (share: number) => {
      const { size, ratio } = latest.current
      const [width, height] = [size.width, size.height].map((side) => Math.round(side * ratio * share))
      if (canvas.width !== width) canvas.width = width!
      if (canvas.height !== height) canvas.height = height!
      points.refresh()
      painter.current?.draw({ pose: controls.getPose(), view: getView(), ratio: ratio * share })
    },
    [canvas, points, controls, getView],
  )
  const resolution = useMemo(() => {
    let last: PlanePose | null = null
    let share = 1
    const adaptive = createAdaptiveResolution(() => {
      if (share < 1) loop.invalidate()
    })
    return {
      /** Returns the share of the resolution for the next frame. */
      tick() {
        const pose = controls.getPose()
        const hasMoved = last !== null && pose !== last
        last = pose
        share = adaptive.tick(hasMoved, performance.now())
        return share
      },
      stop: adaptive.stop,
    }
  }, [controls, loop])
  useEffect(() => resolution.stop, [resolution])
  const hasDrawn = useRef(false)
  drawFrame.current = (seconds) => {
    frames.run("move")
    if (controls.step(seconds)) loop.invalidate()
    draw(resolution.tick())
    frames.run("follow")
    // For `npm run bench -- web` and whoever measures the page.
    if (!hasDrawn.current) requestAnimationFrame(() => performance.mark("map-drawn"))
    hasDrawn.current = true
  }

  useViewRequests({ model, controls, getView, savedCamera, savePose })
  const renderer = useMemo(
    (): Renderer => ({
      element: canvas,
      displayed: points,
      getSize: () => latest.current.size,
      getCameraDistance: () => controls.getPose().distance,
      invalidate: loop.invalidate,
      onFrame: frames.add,
      pick(at, reach) {
        points.refresh()
        const view = getView()
        const pose = controls.getPose()
        const place = toPlane(pose, at, view)
        const near: number[] = []
        const { point } = latest.current.look
        const limit = (point.maxRadiusPx + reach) / scaleOf(pose, view)
        getGrid().visitNear(place.x, place.y, limit, (i) => near.push(i))
        return pickAmong(near, {
          screen: points.screen,
          radii: model.radii,
          at,
          focal: points.focal,
          reach,
          look: point,
        })
      },
      drawNow() {
        draw(1)
        return canvas
      },
    }),
    [canvas, model, points, getGrid, controls, loop, frames, getView, draw],
  )
  return { renderer, colors }
}
