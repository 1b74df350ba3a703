"use client"
import { type RefObject, useEffect, useMemo, useRef } from "react"
import { highlightChanged } from "../state/highlight.ts"
import { type MapModel, RADIUS } from "../state/model.ts"
import { getColor, mixColors, parseHex, toCss } from "../state/palette.ts"
import { type MapState, NONE, useMap } from "../state/store.ts"
import { createLabelMeasurer, styleLabel } from "./label-fonts.ts"
import type { LabelLook, Look } from "./look.ts"
import { type Candidate, type Insets, listLabelCandidates, type Placed, placeLabels } from "./place-labels.ts"
import type { Renderer } from "./renderer.ts"
import type { SceneTheme } from "./theme.ts"

/** Opacity changes in this many steps, because each new value starts a CSS transition. */
const OPACITY_STEPS = 6

const createLabel = (): HTMLElement => {
  const el = document.createElement("div")
  el.className = "map-label"
  return el
}

const listLabels = (overlay: HTMLElement) => [...overlay.children].filter((el) => el instanceof HTMLElement)

/** Passes the sizes that all labels share to `.map-label` in globals.css, and updates the fonts of existing labels. */
const styleOverlay = (overlay: HTMLElement, maxWidth: number, look: LabelLook) => {
  overlay.style.setProperty("--label-max-width", `${maxWidth}px`)
  overlay.style.setProperty("--label-height", `${look.heightPx}px`)
  overlay.style.setProperty("--label-outline", `${look.outlinePx}px`)
  for (const label of listLabels(overlay)) styleLabel(label, Number(label.dataset.level), look)
}

/** Updates a pool of label elements. Elements that are no longer needed fade out where they are. */
const writeLabels = (
  overlay: HTMLElement,
  placed: readonly Placed[],
  colorOf: (region: number) => string,
  cameraDistance: number,
  look: LabelLook,
) => {
  const free = new Set(listLabels(overlay))
  const byIndex = new Map([...free].map((el) => [el.dataset.index, el]))
  const take = (index: number): HTMLElement => {
    const el =
      byIndex.get(String(index)) ?? [...free].find((e) => e.style.opacity === "0") ?? overlay.appendChild(createLabel())
    free.delete(el)
    return el
  }
  // Points that have an element already come first, so that no other point takes it and the label does not jump.
  const ordered = [...placed].sort(
    (a, b) => Number(byIndex.has(String(b.index))) - Number(byIndex.has(String(a.index))),
  )
  for (const { index, region, level, text, x, y, depth } of ordered) {
    const el = take(index)
    if (el.textContent !== text) el.textContent = text
    if (el.dataset.index !== String(index) || el.dataset.level !== String(level)) {
      el.dataset.index = String(index)
      el.dataset.level = String(level)
      styleLabel(el, level, look)
    }
    const color = colorOf(region)
    if (el.dataset.color !== color) {
      el.dataset.color = color
      el.style.color = color
    }
    el.style.transform = `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`
    const fade = Math.round(OPACITY_STEPS * Math.min(1, Math.max(0, (depth - cameraDistance) / RADIUS))) / OPACITY_STEPS
    el.style.opacity = (1 - (1 - look.minOpacity) * fade).toFixed(2)
  }
  for (const el of free) el.style.opacity = "0"
}

/** Hides the label of the hovered topic, which the tooltip names. Regions keep their label; the open topic has no tooltip. */
const hideHoveredLabel = (overlay: HTMLElement, { hover, selected }: MapState) => {
  for (const el of listLabels(overlay)) {
    const { index, level } = el.dataset
    const isNamedByTooltip = hover !== selected && Number(index) === hover && Number(level) >= 1
    const visibility = isNamedByTooltip ? "hidden" : ""
    if (el.style.visibility !== visibility) el.style.visibility = visibility
  }
}

/** Returns a function that gives the color of a label: text mixed with the color of its region, or "" for the color of text. */
const createLabelColors = (model: MapModel, { ink }: SceneTheme, dark: boolean, look: LabelLook) => {
  const text = parseHex(ink)
  const { ranks } = model.groupings.region
  const colors = Array.from(ranks, (rank) =>
    toCss(mixColors(text, getColor("region", rank, dark), look.regionColorShare)),
  )
  return (region: number): string =>
    region !== NONE && useMap.getState().coloring === "region" ? (colors[region] ?? "") : ""
}

type LabelsLayerProps = {
  model: MapModel
  renderer: Renderer
  overlay: RefObject<HTMLDivElement | null>
  insets: Insets
  maxLabels: number
  theme: SceneTheme
  dark: boolean
  look: Look
}

/** Shows names of regions and topics as DOM elements over the scene. They are placed in every drawn frame. */
export const LabelsLayer = ({ model, renderer, overlay, insets, maxLabels, theme, dark, look }: LabelsLayerProps) => {
  const { displayed, invalidate } = renderer
  const candidates = useRef<Candidate[]>([])
  const shown = useRef<Set<number>>(new Set())
  const measurer = useMemo(() => createLabelMeasurer(look.label), [look])
  const colorOf = useMemo(() => createLabelColors(model, theme, dark, look.label), [model, theme, dark, look])
  useEffect(() => measurer.onFontsLoaded(invalidate), [measurer, invalidate])
  useEffect(() => {
    const update = (state: MapState) => {
      candidates.current = listLabelCandidates(model, state)
      invalidate()
    }
    update(useMap.getState())
    return useMap.subscribe((state, before) => highlightChanged(state, before) && update(state))
  }, [model, invalidate])
  useEffect(
    () =>
      useMap.subscribe(
        (s, before) => s.hover !== before.hover && overlay.current && hideHoveredLabel(overlay.current, s),
      ),
    [overlay],
  )
  useEffect(() => {
    const element = overlay.current
    return () => element?.replaceChildren()
  }, [overlay])

  const draw = useMemo(() => {
    let styledWidth = Number.NaN
    return () => {
      if (!overlay.current) return
      const { width, height } = renderer.getSize()
      const maxWidth = width - insets.left - insets.right
      if (maxWidth !== styledWidth) styleOverlay(overlay.current, maxWidth, look.label)
      styledWidth = maxWidth
      displayed.refresh()
      const placed = placeLabels(
        candidates.current,
        displayed,
        { width, height, insets, maxLabels, look, measure: measurer.measure },
        shown.current,
      )
      shown.current = new Set(placed.map((p) => p.index))
      writeLabels(overlay.current, placed, colorOf, renderer.getCameraDistance(), look.label)
      hideHoveredLabel(overlay.current, useMap.getState())
    }
  }, [renderer, displayed, overlay, insets, maxLabels, look, measurer, colorOf])
  useEffect(() => {
    invalidate()
    return renderer.onFrame("follow", draw)
  }, [renderer, draw, invalidate])
  return null
}
