"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { type RefObject, useEffect, useRef } from "react"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, relit, useMap } from "../state/store.ts"
import { type Candidate, candidates, type Insets, LAND, type Placed, placeLabels } from "./place-labels.ts"
import type { Stage } from "./stage.ts"

/** As in globals.css. */
const WIDEST = 256

const fresh = (): HTMLElement => {
  const el = document.createElement("div")
  el.className = "map-label"
  return el
}

/** Writes labels into a pool of elements that is kept; those without a label fade out where they stood. */
const write = (overlay: HTMLElement, placed: readonly Placed[], away: number) => {
  const free = new Set(overlay.children as unknown as Iterable<HTMLElement>)
  const held = new Map([...free].map((el) => [el.dataset.index, el]))
  const take = (index: number): HTMLElement => {
    const kept = held.get(String(index))
    const el = kept ?? [...free].find((e) => e.style.opacity === "0") ?? overlay.appendChild(fresh())
    free.delete(el)
    return el
  }
  // Elements that show the same point go first, so that no label jumps through the pool.
  const order = [...placed].sort((a, b) => Number(held.has(String(b.index))) - Number(held.has(String(a.index))))
  for (const { index, level, text, x, y, depth } of order) {
    const el = take(index)
    if (el.textContent !== text) el.textContent = text
    if (el.dataset.index !== String(index) || el.dataset.level !== String(level)) {
      el.dataset.index = String(index)
      el.dataset.level = String(level)
      // The name of a land, and of one that holds others.
      el.style.fontSize = level < 1 ? (level === LAND ? "1.0625rem" : "0.9375rem") : ""
      el.style.fontWeight = level < 1 ? "640" : ""
    }
    el.style.transform = `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0)`
    // In steps: each other opacity begins a fade of its own.
    const far = Math.min(1, Math.max(0, (depth - away) / RADIUS))
    el.style.opacity = (1 - (0.3 * Math.round(6 * far)) / 6).toFixed(2)
  }
  for (const el of free) el.style.opacity = "0"
}

/** The tooltip names the hovered topic: its label is hidden meanwhile. Names of lands stay, and the selected one has no tooltip. */
const veil = (overlay: HTMLElement, { hover, selected }: MapState) => {
  for (const el of overlay.children as unknown as Iterable<HTMLElement>) {
    const { index, level } = el.dataset
    const named = hover !== selected && Number(index) === hover && Number(level) >= 1
    const wanted = named ? "hidden" : ""
    if (el.style.visibility !== wanted) el.style.visibility = wanted
  }
}

type LabelsLayerProps = {
  model: MapModel
  stage: Stage
  overlay: RefObject<HTMLDivElement | null>
  insets: Insets
  most: number
}

/** Names of groups and topics over the scene: plain text in the page, placed after the camera in each drawn frame. */
export const LabelsLayer = ({ model, stage, overlay, insets, most }: LabelsLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const list = useRef<Candidate[]>([])
  const shown = useRef<Set<number>>(new Set())
  useEffect(() => {
    const gather = (state: MapState) => {
      list.current = candidates(model, state)
      invalidate()
    }
    gather(useMap.getState())
    return useMap.subscribe((state, before) => relit(state, before) && gather(state))
  }, [model, invalidate])
  useEffect(
    () => useMap.subscribe((s, before) => s.hover !== before.hover && overlay.current && veil(overlay.current, s)),
    [overlay],
  )
  useEffect(() => {
    const held = overlay.current
    return () => held?.replaceChildren()
  }, [overlay])

  useFrame(({ camera, size }) => {
    if (!overlay.current) return
    stage.refresh()
    const view = { width: size.width, height: size.height, insets, most, widest: Math.min(WIDEST, size.width * 0.45) }
    const placed = placeLabels(list.current, stage, model.sizes, view, shown.current)
    shown.current = new Set(placed.map((p) => p.index))
    write(overlay.current, placed, camera.position.length())
    veil(overlay.current, useMap.getState())
  })
  return null
}
