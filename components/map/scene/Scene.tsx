"use client"
import { Canvas } from "@react-three/fiber"
import { type ReactNode, type RefObject, useMemo } from "react"
import type { MapModel } from "../state/model.ts"
import { CameraRig } from "./CameraRig.tsx"
import { useDisplayedPoints } from "./displayed-points.ts"
import { EdgesLayer } from "./EdgesLayer.tsx"
import { Ground } from "./Ground.tsx"
import { HazeLayer, useHaze } from "./Haze.tsx"
import { HoverLayer } from "./HoverLayer.tsx"
import { hideClockWarning } from "./hide-clock-warning.ts"
import { LabelsLayer } from "./LabelsLayer.tsx"
import { Lasso } from "./Lasso.tsx"
import { LayoutTransition } from "./LayoutTransition.tsx"
import { LOOK, type Look } from "./look.ts"
import { Picker } from "./Picker.tsx"
import { PointsLayer } from "./PointsLayer.tsx"
import type { Insets } from "./place-labels.ts"
import { usePointColors } from "./point-colors.ts"
import { Resolution } from "./Resolution.tsx"
import { Snapshot } from "./Snapshot.tsx"
import { readTheme } from "./theme.ts"

export type SceneProps = {
  model: MapModel
  dark: boolean
  insets: Insets
  isPhone: boolean
  look?: Look
  /** The parent of the label elements. */
  overlay: RefObject<HTMLDivElement | null>
  /** Describes the hovered topic. */
  card: RefObject<HTMLDivElement | null>
  /** Shows the hovered topic. */
  marker: RefObject<SVGSVGElement | null>
  /** Shows the line of the lasso. */
  outline: RefObject<SVGPolygonElement | null>
  onContextLost: () => void
  /** Additional layers. */
  children?: ReactNode
}

/** With more points, multisampling costs more than smooth lines are worth. Discs smooth their own edges. */
const MAX_ANTIALIASED_POINTS = 4000

type LayersProps = Omit<SceneProps, "onContextLost">

const Layers = ({ model, dark, insets, isPhone, look = LOOK, children, ...elements }: LayersProps) => {
  const { overlay, outline, marker, card } = elements
  const theme = useMemo(() => readTheme(look, dark), [look, dark])
  const maxLabels = isPhone ? look.label.maxCount.phone : look.label.maxCount.wide
  const displayed = useDisplayedPoints(model, look)
  const colors = usePointColors(model, dark)
  const haze = useHaze()
  const shared = { model, displayed, look }
  return (
    <>
      <Resolution />
      <CameraRig model={model} insets={insets} />
      <LayoutTransition model={model} displayed={displayed} />
      <HazeLayer {...shared} haze={haze} colors={colors.attribute} />
      <Ground theme={theme} look={look} haze={haze} />
      <EdgesLayer {...shared} colors={colors.attribute} theme={theme} />
      <PointsLayer {...shared} colors={colors.attribute} theme={theme} />
      <LabelsLayer {...shared} overlay={overlay} insets={insets} maxLabels={maxLabels} theme={theme} dark={dark} />
      <HoverLayer {...shared} colors={colors.bytes} insets={insets} dark={dark} marker={marker} card={card} />
      <Picker {...shared} />
      <Lasso displayed={displayed} outline={outline} />
      <Snapshot model={model} dark={dark} theme={theme} look={look} overlay={overlay} />
      {children}
    </>
  )
}

/** Draws the map with WebGL. Draws a frame only when something changes. */
export const Scene = ({ onContextLost, ...layers }: SceneProps) => {
  useMemo(hideClockWarning, [])
  return (
    <Canvas
      frameloop="demand"
      flat
      dpr={[1, 2]}
      camera={{ fov: 42, near: 0.1, far: 2000 }}
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
