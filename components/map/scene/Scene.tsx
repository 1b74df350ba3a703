"use client"
import { Canvas, useThree } from "@react-three/fiber"
import { type ReactNode, useCallback, useMemo, useRef } from "react"
import { BufferAttribute, DynamicDrawUsage } from "three"
import type { MapModel } from "../state/model.ts"
import { CameraRig } from "./CameraRig.tsx"
import { EdgesLayer } from "./EdgesLayer.tsx"
import { Ground } from "./Ground.tsx"
import { HazeLayer, useHaze } from "./Haze.tsx"
import { hideClockWarning } from "./hide-clock-warning.ts"
import { LOOK } from "./look.ts"
import { Overlays, type SceneProps } from "./Overlays.tsx"
import { PointsLayer } from "./PointsLayer.tsx"
import { usePointColors } from "./point-colors.ts"
import { FIELD_OF_VIEW } from "./projection.ts"
import { Resolution } from "./Resolution.tsx"
import { readTheme } from "./theme.ts"
import { useWebglPoints, useWebglRenderer } from "./webgl-renderer.ts"

type WebglSceneProps = SceneProps & {
  onContextLost: () => void
  /** Additional layers. */
  children?: ReactNode
}

/** With more points, multisampling costs more than smooth lines are worth. Discs smooth their own edges. */
const MAX_ANTIALIASED_POINTS = 4000

type LayersProps = Omit<WebglSceneProps, "onContextLost">

/** Returns the point colors as bytes and as a vertex attribute, which are updated in place. */
const useColorAttribute = (model: MapModel, dark: boolean) => {
  const invalidate = useThree((s) => s.invalidate)
  const latest = useRef<BufferAttribute | null>(null)
  const onChange = useCallback(() => {
    if (latest.current) latest.current.needsUpdate = true
    invalidate()
  }, [invalidate])
  const bytes = usePointColors(model, dark, onChange)
  const attribute = useMemo(() => new BufferAttribute(bytes, 4, true).setUsage(DynamicDrawUsage), [bytes])
  latest.current = attribute
  return { bytes, attribute }
}

const Layers = ({ model, dark, insets, isPhone, look = LOOK, children, ...elements }: LayersProps) => {
  const theme = useMemo(() => readTheme(look, dark), [look, dark])
  const displayed = useWebglPoints(model, look)
  const renderer = useWebglRenderer(model, displayed, look)
  const colors = useColorAttribute(model, dark)
  const haze = useHaze()
  const shared = { model, displayed, look }
  return (
    <>
      <Resolution />
      <CameraRig model={model} insets={insets} />
      <HazeLayer {...shared} haze={haze} colors={colors.attribute} />
      <Ground theme={theme} look={look} haze={haze} />
      <EdgesLayer {...shared} colors={colors.attribute} theme={theme} />
      <PointsLayer {...shared} colors={colors.attribute} theme={theme} />
      <Overlays {...{ renderer, model, theme, dark, insets, isPhone, look, ...elements }} colors={colors.bytes} />
      {children}
    </>
  )
}

/** Draws the map with WebGL. Draws a frame only when something changes. */
export const Scene = ({ onContextLost, ...layers }: WebglSceneProps) => {
  useMemo(hideClockWarning, [])
  return (
    <Canvas
      frameloop="demand"
      flat
      dpr={[1, 2]}
      camera={{ fov: FIELD_OF_VIEW, near: 0.1, far: 2000 }}
      gl={{ antialias: layers.model.count <= MAX_ANTIALIASED_POINTS, alpha: true, powerPreference: "high-performance" }}
      onCreated={({ gl }) => {
        // Reading the shader log blocks until the GPU has compiled the shader.
        gl.debug.checkShaderErrors = process.env.NODE_ENV !== "production"
        gl.domElement.addEventListener("webglcontextlost", (event) => {
          event.preventDefault()
          onContextLost()
        })
      }}
      fallback={null}
    >
      <Layers {...layers} />
    </Canvas>
  )
}
