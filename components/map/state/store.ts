"use client"
import { create } from "zustand"
import type { Colouring, MapModel } from "./model.ts"
import { type Axis, inSpan, type Span, usualAxis } from "./timeline.ts"

/** Whether two states light other points, or in other colours. */
export const relit = (a: MapState, b: MapState): boolean =>
  a.colouring !== b.colouring ||
  a.solo !== b.solo ||
  a.off !== b.off ||
  a.chosen !== b.chosen ||
  a.clip !== b.clip ||
  a.hits !== b.hits ||
  a.span !== b.span ||
  a.selected !== b.selected

/** Where the camera is asked to go. A new object is a new wish, even for the same place. */
export type View = { readonly to: "all" | "clip" | "point" | "nearer" | "farther"; readonly index: number }

/** All state of the map, by index: no ids, no objects of the scene, nothing that changes with every frame. -1: none. */
export type MapState = {
  readonly model: MapModel | null
  readonly hover: number
  readonly selected: number
  readonly colouring: Colouring
  /** The one group of the colouring that stays lit. */
  readonly solo: number
  /** Groups of the colouring that are switched off. */
  readonly off: ReadonlySet<number>
  /** Points that the reader has gathered, by lasso or one by one; null: none. */
  readonly chosen: readonly number[] | null
  /** What a drag over the map does. */
  readonly tool: "turn" | "lasso"
  /** Whether the map lies in a plane. */
  readonly flat: boolean
  /** Where the reader has brought the camera by hand: eye and target; null: where the view asks it to be. */
  readonly camera: readonly number[] | null
  /** The recording that stays lit. */
  readonly clip: number
  readonly allEdges: boolean
  readonly query: string
  /** Points found by the search, best first; null: no search. */
  readonly hits: readonly number[] | null
  readonly view: View
  /** The axis of the line of time, when that is open, and the part of it that stays lit; null: all of it. */
  readonly axis: Axis | null
  readonly span: Span | null
}

export const NONE = -1

export const initial: MapState = {
  model: null,
  hover: NONE,
  selected: NONE,
  colouring: "cluster",
  solo: NONE,
  off: new Set(),
  chosen: null,
  tool: "turn",
  flat: false,
  camera: null,
  clip: NONE,
  allEdges: false,
  query: "",
  hits: null,
  view: { to: "all", index: NONE },
  axis: null,
  span: null,
}

export const useMap = create<MapState>()(() => initial)

const set = useMap.setState

export const hover = (index: number) => {
  if (useMap.getState().hover !== index) set({ hover: index })
}
/** Selects a point; `fly` also brings the camera to it. */
export const select = (index: number, fly = true) =>
  set(index === NONE ? { selected: NONE } : { selected: index, ...(fly && { view: { to: "point", index } }) })
export const colourBy = (colouring: Colouring) => set({ colouring, solo: NONE, off: new Set() })
export const toggleSolo = (group: number) => set((s) => ({ solo: s.solo === group ? NONE : group }))
/** Greys a group or lights it again; one that is alone lit is so no longer. */
export const toggleGroup = (group: number) =>
  set((s) => {
    if (s.solo === group) return { solo: NONE }
    const off = new Set(s.off)
    if (!off.delete(group)) off.add(group)
    return { off, solo: NONE }
  })
export const choose = (points: readonly number[] | null) => set({ chosen: points?.length ? points : null })
/** Puts points among the gathered ones, or takes them out when all of them are there. */
export const toggleChosen = (...points: readonly number[]) => {
  const chosen = new Set(useMap.getState().chosen)
  const there = points.every((point) => chosen.has(point))
  for (const point of points) there ? chosen.delete(point) : chosen.add(point)
  choose([...chosen])
}
export const takeTool = (tool: MapState["tool"]) => set({ tool })
export const toggleFlat = () => set((s) => ({ flat: !s.flat, view: { ...s.view } }))
export const showClip = (clip: number) =>
  set({ clip, view: clip === NONE ? { to: "all", index: NONE } : { to: "clip", index: clip } })
export const toggleEdges = () => set((s) => ({ allEdges: !s.allEdges }))
export const search = (query: string) => set(query ? { query } : { query: "", hits: null })
export const zoom = (to: "nearer" | "farther") => set({ view: { to, index: NONE } })
export const showAll = () => set((s) => ({ view: { to: s.clip === NONE ? "all" : "clip", index: s.clip } }))

/** Opens the line of time, or closes it and lights what it had greyed. */
export const toggleTimeline = () =>
  set(({ axis, model }) => (axis || !model ? { axis: null, span: null } : { axis: usualAxis(model.lines) }))
export const measureBy = (axis: Axis) => set({ axis, span: null })
export const brush = (span: Span | null) => set({ span })

/** 1 for a point that is lit, 0 for one that is greyed: context stays in sight, it is never hidden. */
export const lit = (state: MapState, out: Uint8Array): Uint8Array => {
  const { model, hits, clip, solo, off, colouring } = state
  if (!model) return out
  const found = hits && new Set(hits)
  const chosen = state.chosen && new Set(state.chosen)
  const clipOf = model.groupOf.clip
  const groupOf = model.groupOf[colouring]
  const { axis, span } = state
  const line = axis && span && model.lines[axis]
  for (let i = 0; i < model.count; i++) {
    const on =
      (!found || found.has(i)) &&
      (!chosen || chosen.has(i)) &&
      (clip === NONE || clipOf[i] === clip) &&
      (solo === NONE || groupOf[i] === solo) &&
      !off.has(groupOf[i]!) &&
      (!line || inSpan(line, span, i))
    out[i] = on || i === state.selected ? 1 : 0
  }
  return out
}

let kept: { readonly state: MapState; readonly on: Uint8Array } | null = null

/** The same as `lit`, for whoever asks often: computed anew only when other points are lit. */
export const litNow = (state: MapState): Uint8Array => {
  if (kept?.state.model === state.model && kept.state.axis === state.axis && !relit(kept.state, state)) return kept.on
  kept = { state, on: lit(state, new Uint8Array(state.model?.count ?? 0)) }
  return kept.on
}
