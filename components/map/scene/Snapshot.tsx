"use client"
import { type RefObject, useEffect } from "react"
import type { MapModel } from "../state/model.ts"
import { SNAPSHOT_EVENT, saveFile } from "../state/snapshot.ts"
import { useMap } from "../state/store.ts"
import type { LabelLook, Look } from "./look.ts"
import type { Renderer } from "./renderer.ts"
import { createSnapshotLegend } from "./snapshot-legend.ts"
import type { SceneTheme } from "./theme.ts"

type SnapshotProps = {
  model: MapModel
  renderer: Renderer
  dark: boolean
  theme: SceneTheme
  look: Look
  overlay: RefObject<HTMLDivElement | null>
}

/** Saves the uncovered part of the scene as an image at screen resolution, with its labels and a legend below. */
export const Snapshot = ({ model, renderer, dark, theme, look, overlay }: SnapshotProps) => {
  useEffect(() => {
    const takeSnapshot = () => {
      // WebGL does not preserve the drawing, so it must be copied in the same task.
      const source = renderer.drawNow()
      const size = renderer.getSize()
      const canvas = document.createElement("canvas")
      const target = canvas.getContext("2d")
      if (!target) return
      const scale = source.width / size.width
      const { left, width } = findUncoveredPart(source, size.width)
      const legend = createSnapshotLegend(target, { model, state: useMap.getState(), dark, theme, width })
      canvas.width = Math.round(width * scale)
      canvas.height = Math.round(source.height + legend.height * scale)
      target.drawImage(source, -Math.round(left * scale), 0)
      target.scale(scale, scale)
      target.translate(-left, 0)
      drawLabels(target, overlay.current, theme, look.label)
      target.translate(left, size.height)
      legend.draw()
      canvas.toBlob((blob) => blob && saveFile(blob, "map.png"), "image/png")
    }
    window.addEventListener(SNAPSHOT_EVENT, takeSnapshot)
    return () => window.removeEventListener(SNAPSHOT_EVENT, takeSnapshot)
  }, [renderer, model, dark, theme, look, overlay])
  return null
}

/** Returns the part of the scene that is visible between the side panels, in CSS pixels. */
const findUncoveredPart = (scene: HTMLElement, sceneWidth: number): { left: number; width: number } => {
  const uncovered = scene.closest("[data-uncovered]")?.getBoundingClientRect()
  if (!uncovered) return { left: 0, width: sceneWidth }
  const left = Math.max(0, uncovered.left - scene.getBoundingClientRect().left)
  return { left, width: Math.min(sceneWidth, uncovered.width) }
}

/** Returns the font of an element. Chromium leaves the `font` shorthand empty for elements with font features. */
const fontOf = ({ fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): string =>
  `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`

const drawLabels = (
  target: CanvasRenderingContext2D,
  overlay: HTMLElement | null,
  theme: SceneTheme,
  look: LabelLook,
) => {
  if (!overlay) return
  const origin = overlay.getBoundingClientRect()
  target.textBaseline = "middle"
  target.lineJoin = "round"
  for (const label of overlay.children) {
    const style = getComputedStyle(label)
    const { opacity, visibility } = style
    if (Number(opacity) < 0.05 || visibility === "hidden") continue
    const box = label.getBoundingClientRect()
    target.globalAlpha = Number(opacity)
    target.font = fontOf(style)
    target.lineWidth = look.outlinePx
    target.strokeStyle = theme.ground
    target.fillStyle = theme.ink
    const [x, y] = [box.left - origin.left + 3, box.top - origin.top + box.height / 2]
    target.strokeText(label.textContent ?? "", x, y, box.width)
    target.fillText(label.textContent ?? "", x, y, box.width)
  }
  target.globalAlpha = 1
}
