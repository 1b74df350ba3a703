"use client"
import { useThree } from "@react-three/fiber"
import { type RefObject, useEffect } from "react"
import { save } from "../save.ts"
import { SNAPSHOT } from "../snapshot.ts"
import type { GlTheme } from "./theme.ts"

type SnapshotProps = { theme: GlTheme; overlay: RefObject<HTMLDivElement | null> }

/** Saves what is in sight as a picture: ground, points and labels, in the pixels of the screen. */
export const Snapshot = ({ theme, overlay }: SnapshotProps) => {
  const get = useThree((s) => s.get)
  useEffect(() => {
    const take = () => {
      const { gl, scene, camera, size } = get()
      // In one breath with the drawing: the buffer is not kept.
      gl.render(scene, camera)
      const canvas = document.createElement("canvas")
      canvas.width = gl.domElement.width
      canvas.height = gl.domElement.height
      const to = canvas.getContext("2d")
      if (!to) return
      to.drawImage(gl.domElement, 0, 0)
      to.scale(canvas.width / size.width, canvas.height / size.height)
      writeLabels(to, overlay.current, theme)
      canvas.toBlob((blob) => blob && save(blob, "map.png"), "image/png")
    }
    window.addEventListener(SNAPSHOT, take)
    return () => window.removeEventListener(SNAPSHOT, take)
  }, [get, theme, overlay])
  return null
}

const writeLabels = (to: CanvasRenderingContext2D, overlay: HTMLElement | null, theme: GlTheme) => {
  if (!overlay) return
  const origin = overlay.getBoundingClientRect()
  to.textBaseline = "middle"
  to.lineJoin = "round"
  for (const label of overlay.children) {
    const { opacity, font } = getComputedStyle(label)
    if (Number(opacity) < 0.05) continue
    const box = label.getBoundingClientRect()
    to.globalAlpha = Number(opacity)
    to.font = font
    to.lineWidth = 3.5
    to.strokeStyle = theme.ground
    to.fillStyle = theme.ink
    const [x, y] = [box.left - origin.left + 3, box.top - origin.top + box.height / 2]
    to.strokeText(label.textContent ?? "", x, y, box.width)
    to.fillText(label.textContent ?? "", x, y, box.width)
  }
  to.globalAlpha = 1
}
