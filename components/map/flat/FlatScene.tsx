"use client"
import { useEffect, useMemo, useState } from "react"
import { LOOK } from "../scene/look.ts"
import { Overlays, type SceneProps } from "../scene/Overlays.tsx"
import type { Renderer, ViewSize } from "../scene/renderer.ts"
import { readTheme } from "../scene/theme.ts"
import { flattenPositions } from "../state/model.ts"
import { useFlatRenderer } from "./flat-renderer.ts"

/** With more device pixels a frame takes too long, and nobody sees the difference. */
const MAX_PIXEL_RATIO = 2

type Surface = { readonly size: ViewSize; readonly ratio: number }

/** Returns the size of an element in CSS pixels and the resolution of the screen. Null before the first layout. */
const useSurface = (element: HTMLElement | null): Surface | null => {
  const [surface, setSurface] = useState<Surface | null>(null)
  useEffect(() => {
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      if (width === 0 || height === 0) return
      setSurface({ size: { width, height }, ratio: Math.min(MAX_PIXEL_RATIO, Math.max(1, window.devicePixelRatio)) })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Zooming the page and moving its window to another screen resize the window in CSS pixels or change the resolution.
    const resolution = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`)
    resolution.addEventListener("change", measure)
    return () => {
      observer.disconnect()
      resolution.removeEventListener("change", measure)
    }
  }, [element])
  return surface
}

type FlatSceneProps = SceneProps & {
  /** Called if the browser offers no 2-D canvas either. */
  onFailed: () => void
  /** Called with the renderer, for tools. */
  onRenderer?: (renderer: Renderer) => void
}

type LayersProps = Omit<FlatSceneProps, "onFailed"> & {
  canvas: HTMLCanvasElement
  context: CanvasRenderingContext2D
  surface: Surface
}

const Layers = ({ canvas, context, surface, look = LOOK, onRenderer, ...props }: LayersProps) => {
  const { dark, insets } = props
  const theme = useMemo(() => readTheme(look, dark), [look, dark])
  const model = useMemo(() => ({ ...props.model, positions: flattenPositions(props.model.positions) }), [props.model])
  const { renderer, colors } = useFlatRenderer({ canvas, context, model, ...surface, insets, theme, dark, look })
  useEffect(() => onRenderer?.(renderer), [onRenderer, renderer])
  return <Overlays {...props} {...{ renderer, model, colors, theme, look }} />
}

/** Draws the map in a plane on a 2-D canvas, for browsers without WebGL. Draws a frame only when something changes. */
export const FlatScene = ({ onFailed, ...layers }: FlatSceneProps) => {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null)
  const surface = useSurface(canvas)
  const context = useMemo(() => canvas?.getContext("2d", { alpha: false }) ?? null, [canvas])
  const hasFailed = canvas !== null && context === null
  useEffect(() => {
    if (hasFailed) onFailed()
  }, [hasFailed, onFailed])
  return (
    <>
      <canvas ref={setCanvas} className="absolute inset-0 block size-full touch-none" />
      {canvas && context && surface && <Layers {...{ canvas, context, surface }} {...layers} />}
    </>
  )
}
