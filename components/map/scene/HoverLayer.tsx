"use client"
import { type RefObject, useEffect, useMemo } from "react"
import type { MapModel } from "../state/model.ts"
import { NONE, useMap } from "../state/store.ts"
import type { DisplayedPoints } from "./displayed-points.ts"
import type { Look } from "./look.ts"
import type { Insets } from "./place-labels.ts"
import { emphasizedRadius } from "./projection.ts"
import type { Renderer } from "./renderer.ts"
import { createTopicCard } from "./topic-card.ts"

const SVG = "http://www.w3.org/2000/svg"
/** More links would be unreadable. */
const MAX_LINKS = 64

type HoverLayerProps = {
  model: MapModel
  renderer: Renderer
  /** Four bytes per point. */
  colors: Uint8Array
  marker: RefObject<SVGSVGElement | null>
  card: RefObject<HTMLDivElement | null>
  dark: boolean
  insets: Insets
  look: Look
}

const colorOf = (colors: Uint8Array, i: number): string =>
  `rgb(${colors[4 * i]} ${colors[4 * i + 1]} ${colors[4 * i + 2]})`

const setAttributes = (element: Element, values: Readonly<Record<string, number | string>>) => {
  for (const [name, value] of Object.entries(values))
    element.setAttribute(name, typeof value === "number" ? value.toFixed(1) : value)
}

/** Returns the visible part of a line between two discs; null if the discs touch or one is behind the camera. */
const linkBetween = ({ screen, radiusPx }: DisplayedPoints, a: number, b: number) => {
  const [dx, dy] = [screen.x[b]! - screen.x[a]!, screen.y[b]! - screen.y[a]!]
  const length = Math.hypot(dx, dy)
  const end = radiusPx(b)
  if (screen.depth[a]! <= 0 || screen.depth[b]! <= 0 || length <= end + radiusPx(a)) return null
  const share = 1 - end / length
  return { x1: screen.x[a]!, y1: screen.y[a]!, x2: screen.x[a]! + share * dx, y2: screen.y[a]! + share * dy }
}

const drawLinks = (group: Element, model: MapModel, displayed: DisplayedPoints, colors: Uint8Array, index: number) => {
  const start = model.edgeStarts[index]!
  const count = Math.min(MAX_LINKS, model.edgeStarts[index + 1]! - start)
  while (group.childElementCount < count) group.append(document.createElementNS(SVG, "line"))
  for (let k = 0; k < group.childElementCount; k++) {
    const line = group.children[k] as SVGLineElement
    const edge = 2 * (model.incidentEdges[start + k] ?? 0)
    const [a, b] = [model.edges[edge]!, model.edges[edge + 1]!]
    const other = a === index ? b : a
    const link = k < count ? linkBetween(displayed, index, other) : null
    line.style.display = link ? "" : "none"
    if (link) setAttributes(line, { ...link, stroke: colorOf(colors, other) })
  }
}

/**
 * Draws the hovered topic with its ring, links and card as DOM elements over the scene. The scene is not redrawn, so
 * that moving the pointer costs the same on a map of any size.
 */
export const HoverLayer = ({ model, renderer, colors, dark, marker, card, insets, look }: HoverLayerProps) => {
  const { displayed } = renderer
  const topicCard = useMemo(
    () => createTopicCard({ element: () => card.current, model, displayed, dark, insets, viewSize: renderer.getSize }),
    [card, model, displayed, dark, insets, renderer],
  )
  const draw = useMemo(() => {
    let shown = NONE
    return () => {
      const { hover, selected } = useMap.getState()
      const index = hover === selected || hover >= model.count ? NONE : hover
      const svg = marker.current
      topicCard.move()
      if (!svg || (index === NONE && shown === NONE)) return
      const isNew = index !== shown
      shown = index
      if (isNew) topicCard.request(index)
      // Even an empty SVG element costs time in every frame of a moving map, so it is not displayed at all.
      svg.style.display = index === NONE ? "none" : ""
      if (index === NONE) return
      displayed.refresh()
      const group = svg.firstElementChild as SVGGElement
      drawLinks(group.firstElementChild!, model, displayed, colors, index)
      svg.style.display = displayed.screen.depth[index]! > 0 ? "" : "none"
      const r = emphasizedRadius(displayed.radiusPx(index), look.point)
      const center = { cx: displayed.screen.x[index]!, cy: displayed.screen.y[index]! }
      const [glow, disc, ring] = group.querySelectorAll("circle")
      if (isNew) group.style.color = colorOf(colors, index)
      setAttributes(glow!, { ...center, r: look.glow.reach * r })
      setAttributes(disc!, { ...center, r })
      setAttributes(ring!, {
        ...center,
        r: look.point.hoverRingRadius * r,
        "stroke-width": look.point.hoverRingWidth * r,
      })
    }
  }, [model, displayed, colors, marker, topicCard, look])
  useEffect(() => () => topicCard.request(NONE, 0), [topicCard])
  useEffect(() => {
    draw()
    return useMap.subscribe((s, before) => (s.hover !== before.hover || s.selected !== before.selected) && draw())
  }, [draw])
  useEffect(() => renderer.onFrame("follow", draw), [renderer, draw])
  return null
}
