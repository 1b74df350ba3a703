"use client"
import { create } from "zustand"
import type { Coloring } from "./coloring.ts"
import type { MapModel } from "./model.ts"
import { type Axis, defaultAxis, type Span } from "./timeline.ts"

/**
 * A request to move the camera. Setting a new object repeats the request, even if it is equal to the last one. `index` is
 * that of the recording, point or group; a group is one of the coloring of the map.
 */
export type View = { readonly to: "all" | "clip" | "group" | "point" | "zoom-in" | "zoom-out"; readonly index: number }

/** The index that stands for no point, group or recording. */
export const NONE = -1

/** The state of the map. Points, groups and recordings are stored by index; nothing here changes with every frame. */
export type MapState = {
  readonly model: MapModel | null
  readonly hover: number
  /** The topic that is open in the topic panel. */
  readonly selected: number
  /** A request to play the open topic from a time in seconds; null to leave the player at its start. */
  readonly playFrom: { readonly start_s: number } | null
  readonly coloring: Coloring
  /** The only group that is highlighted. */
  readonly soloGroup: number
  readonly dimmedGroups: ReadonlySet<number>
  /** Points collected by lasso or one by one; null if there are none. */
  readonly collected: readonly number[] | null
  /** The effect of dragging on the map. */
  readonly tool: "orbit" | "lasso"
  /** True if the map is shown in a plane. */
  readonly flat: boolean
  /** Position and target of the camera after the user moved it; null while it is where `view` put it. */
  readonly camera: readonly number[] | null
  /** The only recording that is highlighted. */
  readonly clip: number
  readonly allEdges: boolean
  readonly query: string
  /** Points found by the search, best first; null without a search or without results. */
  readonly hits: readonly number[] | null
  readonly view: View
  /** The axis of the timeline; null while the timeline is closed. */
  readonly axis: Axis | null
  /** The part of the timeline that is highlighted; null for all of it. */
  readonly span: Span | null
}

export const INITIAL_STATE: MapState = {
  model: null,
  hover: NONE,
  selected: NONE,
  playFrom: null,
  coloring: "cluster",
  soloGroup: NONE,
  dimmedGroups: new Set(),
  collected: null,
  tool: "orbit",
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

export const useMap = create<MapState>()(() => INITIAL_STATE)

const set = useMap.setState

/** Returns a view of the recording or group that is highlighted, or of the whole map. */
export const viewOfFocus = ({ clip, soloGroup }: Pick<MapState, "clip" | "soloGroup">): View => {
  if (clip !== NONE) return { to: "clip", index: clip }
  return soloGroup === NONE ? { to: "all", index: NONE } : { to: "group", index: soloGroup }
}

export const hover = (index: number) => {
  if (useMap.getState().hover !== index) set({ hover: index })
}
/** Opens a topic, or closes the open one for `NONE`. `fly` also moves the camera to it. */
export const select = (index: number, fly = true) =>
  set({ selected: index, playFrom: null, ...(fly && index !== NONE && { view: { to: "point", index } }) })

/** Opens a topic, flies to it, and plays it from a time in seconds. */
export const playTopic = (index: number, start_s: number) =>
  set({ selected: index, playFrom: { start_s }, view: { to: "point", index } })

export const setColoring = (coloring: Coloring) => set({ coloring, soloGroup: NONE, dimmedGroups: new Set() })
/** Highlights only one group and flies to it, or shows all groups again if it is the highlighted one. */
export const toggleSolo = (group: number) =>
  set((s) =>
    s.soloGroup === group
      ? { soloGroup: NONE, view: { to: "all", index: NONE } }
      : { soloGroup: group, view: { to: "group", index: group } },
  )
/** Dims or restores a group. If it is the solo group, restores all others instead. */
export const toggleGroup = (group: number) =>
  set((s) => {
    if (s.soloGroup === group) return { soloGroup: NONE }
    const dimmedGroups = new Set(s.dimmedGroups)
    if (!dimmedGroups.delete(group)) dimmedGroups.add(group)
    return { dimmedGroups, soloGroup: NONE }
  })

export const setCollected = (points: readonly number[] | null) => set({ collected: points?.length ? points : null })
/** Adds points to the collected ones. If all of them are collected already, removes them. */
export const toggleCollected = (...points: readonly number[]) => {
  const collected = new Set(useMap.getState().collected)
  const hasAll = points.every((point) => collected.has(point))
  for (const point of points) hasAll ? collected.delete(point) : collected.add(point)
  setCollected([...collected])
}

export const setTool = (tool: MapState["tool"]) => set({ tool })
export const toggleLasso = () => set((s) => ({ tool: s.tool === "lasso" ? "orbit" : "lasso" }))
export const toggleFlat = () => set((s) => ({ flat: !s.flat, view: { ...s.view } }))
export const showClip = (clip: number) => set((s) => ({ clip, view: viewOfFocus({ ...s, clip }) }))
export const toggleEdges = () => set((s) => ({ allEdges: !s.allEdges }))
export const search = (query: string) => set(query ? { query } : { query: "", hits: null })
export const zoom = (to: "zoom-in" | "zoom-out") => set({ view: { to, index: NONE } })
export const showAll = () => set((s) => ({ view: viewOfFocus(s) }))

/** Opens or closes the timeline. Closing it restores the points outside its span. */
export const toggleTimeline = () =>
  set(({ axis, model }) => (axis || !model ? { axis: null, span: null } : { axis: defaultAxis(model.timelines) }))
export const setAxis = (axis: Axis) => set({ axis, span: null })
export const setSpan = (span: Span | null) => set({ span })
