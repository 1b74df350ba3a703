import { type MapModel, usualColouring } from "./model.ts"
import { type MapState, NONE } from "./store.ts"

/** What the address keeps of the map: ids that outlive a new layout, not indices. */
export type Address = { clip?: string; topic?: string; colour?: string; q?: string; edges?: string }

/** `<clip id>~<number>`: a topic by its place in its recording. */
export const topicKey = (model: MapModel, index: number): string => {
  const p = model.points[index]!
  return `${p.clip_id}~${p.number}`
}

/** The part of the state that an address stands for. What it names and the map lacks counts as not named. */
export const fromAddress = (a: Address, model: MapModel): Partial<MapState> => {
  const [clipId, number] = a.topic?.split("~") ?? []
  const selected = number ? model.points.findIndex((p) => p.clip_id === clipId && p.number === number) : NONE
  const clip = a.clip ? model.clipIds.indexOf(a.clip) : NONE
  return {
    clip,
    selected,
    colouring: a.colour === "clip" || a.colour === "cluster" ? a.colour : usualColouring(model),
    allEdges: a.edges === "all",
    query: a.q ?? "",
    ...(a.q ? {} : { hits: null }),
    view: selected !== NONE ? { to: "point", index: selected } : { to: clip === NONE ? "all" : "clip", index: clip },
  }
}

/** The query string of a state, without what is as at the beginning. */
export const toAddress = (state: MapState): string => {
  const { model, clip, selected, colouring, allEdges, query } = state
  const out = new URLSearchParams()
  if (!model) return ""
  if (clip !== NONE) out.set("clip", model.clipIds[clip]!)
  if (selected !== NONE) out.set("topic", topicKey(model, selected))
  if (colouring !== usualColouring(model)) out.set("colour", colouring)
  if (allEdges) out.set("edges", "all")
  if (query) out.set("q", query)
  return out.toString()
}
