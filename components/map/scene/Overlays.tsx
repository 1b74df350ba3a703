"use client"
import type { RefObject } from "react"
import type { MapModel } from "../state/model.ts"
import { HoverLayer } from "./HoverLayer.tsx"
import { LabelsLayer } from "./LabelsLayer.tsx"
import { Lasso } from "./Lasso.tsx"
import { LayoutTransition } from "./LayoutTransition.tsx"
import type { Look } from "./look.ts"
import { Picker } from "./Picker.tsx"
import type { Insets } from "./place-labels.ts"
import type { Renderer } from "./renderer.ts"
import { Snapshot } from "./Snapshot.tsx"
import type { SceneTheme } from "./theme.ts"

/** What the page passes to the scene, whatever draws it. */
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
}

type OverlaysProps = SceneProps & {
  renderer: Renderer
  /** Four bytes per point. */
  colors: Uint8Array
  theme: SceneTheme
  look: Look
}

/** The layers that do not depend on what draws the map. */
export const Overlays = (props: OverlaysProps) => {
  const { renderer, model, colors, theme, dark, insets, isPhone, look, overlay, card, marker, outline } = props
  const shared = { renderer, model, look, dark }
  const maxLabels = isPhone ? look.label.maxCount.phone : look.label.maxCount.wide
  return (
    <>
      <LayoutTransition model={model} renderer={renderer} />
      <LabelsLayer {...shared} overlay={overlay} insets={insets} maxLabels={maxLabels} theme={theme} />
      <HoverLayer {...shared} colors={colors} insets={insets} marker={marker} card={card} />
      <Picker renderer={renderer} />
      <Lasso renderer={renderer} outline={outline} />
      <Snapshot {...shared} theme={theme} overlay={overlay} />
    </>
  )
}
