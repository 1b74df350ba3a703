"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { type RefObject, useEffect, useMemo } from "react"
import type { MapModel } from "../state/model.ts"
import { NONE, useMap } from "../state/store.ts"
import { moveTooltip, writeTooltip } from "./move-tooltip.ts"
import type { Insets } from "./place-labels.ts"
import { screenRadius } from "./projection.ts"
import type { Stage } from "./stage.ts"

const SVG = "http://www.w3.org/2000/svg"
/** More links than this would be a thicket, and no topic of a real map has them. */
const MOST_LINKS = 64

type HoverLayerProps = {
  model: MapModel
  stage: Stage
  /** [n × 4] bytes. */
  colours: Uint8Array
  marker: RefObject<SVGSVGElement | null>
  tooltip: RefObject<HTMLDivElement | null>
  insets: Insets
}

const cssAt = (colours: Uint8Array, i: number): string =>
  `rgb(${colours[4 * i]} ${colours[4 * i + 1]} ${colours[4 * i + 2]})`

const write = (element: Element, values: Readonly<Record<string, number | string>>) => {
  for (const [name, value] of Object.entries(values))
    element.setAttribute(name, typeof value === "number" ? value.toFixed(1) : value)
}

/** Ends of a line from disc to disc, without what lies under them; null where they touch, or one lies behind the eye. */
const between = ({ screen, focal }: Stage, sizes: Float32Array, a: number, b: number) => {
  const [da, db] = [screen.depth[a]!, screen.depth[b]!]
  const [dx, dy] = [screen.x[b]! - screen.x[a]!, screen.y[b]! - screen.y[a]!]
  const length = Math.hypot(dx, dy)
  const end = screenRadius(sizes[b]!, db, focal)
  if (da <= 0 || db <= 0 || length <= end + screenRadius(sizes[a]!, da, focal)) return null
  const part = 1 - end / length
  return { x1: screen.x[a]!, y1: screen.y[a]!, x2: screen.x[a]! + part * dx, y2: screen.y[a]! + part * dy }
}

/**
 * The hovered topic: its disc with a ring and its links, over the scene, as a few elements of the page. The scene is not
 * drawn for it, so that a move of the pointer costs the same on a map of a hundred thousand topics as on one of ten.
 */
export const HoverLayer = ({ model, stage, colours, marker, tooltip, insets }: HoverLayerProps) => {
  const get = useThree((s) => s.get)
  const draw = useMemo(() => {
    let shown = NONE
    return () => {
      const { hover, selected } = useMap.getState()
      const index = hover === selected || hover >= model.count ? NONE : hover
      const picture = marker.current
      if (!picture || (index === NONE && shown === NONE)) return
      const fresh = index !== shown
      shown = index
      if (fresh) writeTooltip(tooltip.current, index === NONE ? null : model.points[index]!)
      // As a whole: over a map that moves even an empty layer costs each frame.
      picture.style.display = index === NONE ? "none" : ""
      if (index === NONE) return
      stage.refresh()
      const group = picture.firstElementChild as SVGGElement
      drawLinks(group.firstElementChild!, model, stage, colours, index)
      const depth = stage.screen.depth[index]!
      picture.style.display = depth > 0 ? "" : "none"
      const r = Math.max(5.5, 1.15 * screenRadius(model.sizes[index]!, depth, stage.focal))
      const at = { cx: stage.screen.x[index]!, cy: stage.screen.y[index]! }
      const [glow, disc, ring] = group.querySelectorAll("circle")
      if (fresh) group.style.color = cssAt(colours, index)
      write(glow!, { ...at, r: 4 * r })
      write(disc!, { ...at, r })
      write(ring!, { ...at, r: 1.5 * r, "stroke-width": 0.18 * r })
      moveTooltip(tooltip.current, stage, model, index, get().size, insets)
    }
  }, [model, stage, colours, marker, tooltip, insets, get])
  useEffect(() => {
    draw()
    return useMap.subscribe((s, before) => (s.hover !== before.hover || s.selected !== before.selected) && draw())
  }, [draw])
  // After the camera has moved, and before the frame is drawn.
  useFrame(draw)
  return null
}

const drawLinks = (group: Element, model: MapModel, stage: Stage, colours: Uint8Array, index: number) => {
  const from = model.starts[index]!
  const count = Math.min(MOST_LINKS, model.starts[index + 1]! - from)
  while (group.childElementCount < count) group.append(document.createElementNS(SVG, "line"))
  for (let k = 0; k < group.childElementCount; k++) {
    const line = group.children[k] as SVGLineElement
    const edge = 2 * (model.incident[from + k] ?? 0)
    const [a, b] = [model.edges[edge]!, model.edges[edge + 1]!]
    const ends = k < count ? between(stage, model.sizes, index, a === index ? b : a) : null
    line.style.display = ends ? "" : "none"
    if (ends) write(line, { ...ends, stroke: cssAt(colours, a === index ? b : a) })
  }
}
