"use client"
import { useThree } from "@react-three/fiber"
import { type RefObject, useEffect } from "react"
import type { MapModel } from "../state/model.ts"
import { save } from "../state/save.ts"
import { SNAPSHOT } from "../state/snapshot.ts"
import { useMap } from "../state/store.ts"
import { pictureLegend } from "./picture-legend.ts"
import type { GlTheme } from "./theme.ts"

type SnapshotProps = { model: MapModel; dark: boolean; theme: GlTheme; overlay: RefObject<HTMLDivElement | null> }

/**
 * Saves what is in sight as a picture: ground, points and labels in the pixels of the screen, without what lies under
 * panels, and below them what the colours mean.
 */
export const Snapshot = ({ model, dark, theme, overlay }: SnapshotProps) => {
  const get = useThree((s) => s.get)
  useEffect(() => {
    const take = () => {
      const { gl, scene, camera, size } = get()
      // In one breath with the drawing: the buffer is not kept.
      gl.render(scene, camera)
      const canvas = document.createElement("canvas")
      const to = canvas.getContext("2d")
      if (!to) return
      const from = gl.domElement
      const scale = from.width / size.width
      const { left, width } = inSight(from, size.width)
      const legend = pictureLegend(to, { model, state: useMap.getState(), dark, theme, width })
      canvas.width = Math.round(width * scale)
      canvas.height = Math.round(from.height + legend.height * scale)
      to.drawImage(from, -Math.round(left * scale), 0)
      to.scale(scale, scale)
      to.translate(-left, 0)
      writeLabels(to, overlay.current, theme)
      to.translate(left, size.height)
      legend.draw()
      canvas.toBlob((blob) => blob && save(blob, "map.png"), "image/png")
    }
    window.addEventListener(SNAPSHOT, take)
    return () => window.removeEventListener(SNAPSHOT, take)
  }, [get, model, dark, theme, overlay])
  return null
}

/** The part of the scene that no panel covers, from its left, in CSS pixels. */
const inSight = (scene: HTMLElement, whole: number): { left: number; width: number } => {
  const [all, free] = [scene.getBoundingClientRect(), scene.closest("[data-uncovered]")?.getBoundingClientRect()]
  if (!free) return { left: 0, width: whole }
  return { left: Math.max(0, free.left - all.left), width: Math.min(whole, free.width) }
}

/** The font of an element. The shorthand is empty in Chromium where an element has font features that it cannot say. */
const fontOf = ({ fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): string =>
  `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`

const writeLabels = (to: CanvasRenderingContext2D, overlay: HTMLElement | null, theme: GlTheme) => {
  if (!overlay) return
  const origin = overlay.getBoundingClientRect()
  to.textBaseline = "middle"
  to.lineJoin = "round"
  for (const label of overlay.children) {
    const style = getComputedStyle(label)
    const { opacity, visibility } = style
    if (Number(opacity) < 0.05 || visibility === "hidden") continue
    const box = label.getBoundingClientRect()
    to.globalAlpha = Number(opacity)
    to.font = fontOf(style)
    to.lineWidth = 3.5
    to.strokeStyle = theme.ground
    to.fillStyle = theme.ink
    const [x, y] = [box.left - origin.left + 3, box.top - origin.top + box.height / 2]
    to.strokeText(label.textContent ?? "", x, y, box.width)
    to.fillText(label.textContent ?? "", x, y, box.width)
  }
  to.globalAlpha = 1
}
