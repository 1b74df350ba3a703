"use client"
import { Canvas } from "@react-three/fiber"
import { type ReactNode, type RefObject, useMemo } from "react"
import type { MapModel } from "../state/model.ts"
import { CameraRig } from "./CameraRig.tsx"
import { EdgesLayer } from "./EdgesLayer.tsx"
import { Ground } from "./Ground.tsx"
import { HoverLayer } from "./HoverLayer.tsx"
import { LabelsLayer } from "./LabelsLayer.tsx"
import { Lasso } from "./Lasso.tsx"
import { LayoutTransition } from "./LayoutTransition.tsx"
import { Picker } from "./Picker.tsx"
import { PointsLayer } from "./PointsLayer.tsx"
import type { Insets } from "./place-labels.ts"
import { Resolution } from "./Resolution.tsx"
import { Snapshot } from "./Snapshot.tsx"
import { useStage } from "./stage.ts"
import { glTheme } from "./theme.ts"
import { useColours } from "./use-colors.ts"

export type SceneProps = {
  model: MapModel
  dark: boolean
  insets: Insets
  /** Labels in sight at most. */
  labels: number
  overlay: RefObject<HTMLDivElement | null>
  tooltip: RefObject<HTMLDivElement | null>
  /** What is drawn of the hovered topic. */
  marker: RefObject<SVGSVGElement | null>
  /** The line of the lasso. */
  line: RefObject<SVGPolygonElement | null>
  onLost: () => void
  /** More layers, for whoever builds on the scene. */
  children?: ReactNode
}

/** Up to so many points all of the scene is smoothed. */
const SMOOTHED = 4000

const Layers = ({ model, dark, insets, labels, overlay, line, children, ...over }: Omit<SceneProps, "onLost">) => {
  const theme = useMemo(() => glTheme(dark), [dark])
  const stage = useStage(model)
  const colours = useColours(model, dark)
  return (
    <>
      <Resolution />
      <CameraRig model={model} insets={insets} />
      <LayoutTransition model={model} stage={stage} />
      <Ground theme={theme} />
      <EdgesLayer model={model} stage={stage} colours={colours.attribute} theme={theme} />
      <PointsLayer model={model} stage={stage} colours={colours.attribute} theme={theme} />
      <LabelsLayer model={model} stage={stage} overlay={overlay} insets={insets} most={labels} />
      <HoverLayer model={model} stage={stage} colours={colours.bytes} insets={insets} {...over} />
      <Picker model={model} stage={stage} />
      <Lasso model={model} stage={stage} line={line} />
      <Snapshot model={model} dark={dark} theme={theme} overlay={overlay} />
      {children}
    </>
  )
}

/** The map in WebGL. Frames are drawn on demand only: a map at rest costs nothing. */
export const Scene = ({ onLost, ...layers }: SceneProps) => (
  <Canvas
    frameloop="demand"
    flat
    dpr={[1, 2]}
    camera={{ fov: 42, near: 0.1, far: 2000 }}
    // Discs smooth their own rims; with many points the lines alone are not worth four samples a pixel.
    gl={{ antialias: layers.model.count <= SMOOTHED, alpha: true, powerPreference: "high-performance" }}
    onCreated={({ gl }) => {
      // Asking for the log of a shader makes the browser wait for the card.
      gl.debug.checkShaderErrors = process.env.NODE_ENV !== "production"
      gl.domElement.addEventListener("webglcontextlost", (event) => {
        event.preventDefault()
        onLost()
      })
    }}
    fallback={null}
  >
    <Layers {...layers} />
  </Canvas>
)
