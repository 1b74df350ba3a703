"use client"
import { create } from "zustand"
import type { Colouring, MapModel } from "./model.ts"

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
  /** The recording that stays lit. */
  readonly clip: number
  readonly allEdges: boolean
  readonly query: string
  /** Points found by the search, best first; null: no search. */
  readonly hits: readonly number[] | null
  readonly view: View
}

export const NONE = -1

export const initial: MapState = {
  model: null,
  hover: NONE,
  selected: NONE,
  colouring: "cluster",
  solo: NONE,
  clip: NONE,
  allEdges: false,
  query: "",
  hits: null,
  view: { to: "all", index: NONE },
}

export const useMap = create<MapState>()(() => initial)

const set = useMap.setState

export const hover = (index: number) => {
  if (useMap.getState().hover !== index) set({ hover: index })
}
/** Selects a point; `fly` also brings the camera to it. */
export const select = (index: number, fly = true) =>
  set(index === NONE ? { selected: NONE } : { selected: index, ...(fly && { view: { to: "point", index } }) })
export const colourBy = (colouring: Colouring) => set({ colouring, solo: NONE })
export const toggleSolo = (group: number) => set((s) => ({ solo: s.solo === group ? NONE : group }))
export const showClip = (clip: number) =>
  set({ clip, view: clip === NONE ? { to: "all", index: NONE } : { to: "clip", index: clip } })
export const toggleEdges = () => set((s) => ({ allEdges: !s.allEdges }))
export const search = (query: string) => set(query ? { query } : { query: "", hits: null })
export const zoom = (to: "nearer" | "farther") => set({ view: { to, index: NONE } })
export const showAll = () => set((s) => ({ view: { to: s.clip === NONE ? "all" : "clip", index: s.clip } }))

/** 1 for a point that is lit, 0 for one that is greyed: context stays in sight, it is never hidden. */
export const lit = (state: MapState, out: Uint8Array): Uint8Array => {
  const { model, hits, clip, solo, colouring } = state
  if (!model) return out
  const found = hits && new Set(hits)
  const clipOf = model.groupOf.clip
  const groupOf = model.groupOf[colouring]
  for (let i = 0; i < model.count; i++) {
    const on =
      (!found || found.has(i)) && (clip === NONE || clipOf[i] === clip) && (solo === NONE || groupOf[i] === solo)
    out[i] = on || i === state.selected ? 1 : 0
  }
  return out
}
