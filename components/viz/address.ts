import { COLOURINGS, type Colouring, type MapModel, usualColouring } from "./model.ts"
import { type MapState, NONE } from "./store.ts"
import { isAxis } from "./timeline.ts"

/** What the address keeps of the map: ids that outlive a new layout, not indices. */
export type Address = {
  clip?: string
  topic?: string
  colour?: string
  q?: string
  edges?: string
  /** "1": the map lies flat. */
  flat?: string
  /** Numbers of the groups that are greyed, and of the one that alone is lit. */
  off?: string
  solo?: string
  /** Six numbers: eye and target. */
  camera?: string
  /** Topics that were gathered. */
  chosen?: string
  /** Axis of the line of time, and two numbers: the part of it that is lit. */
  line?: string
  span?: string
}

/** More topics than this would make an address that not every program takes. */
const MOST_CHOSEN = 60

const numbers = (text: string | undefined): number[] =>
  text ? text.split("_").map(Number).filter(Number.isFinite) : []

const isColouring = (name: string | undefined): name is Colouring => COLOURINGS.some((c) => c === name)

const chosenOf = (text: string | undefined, model: MapModel): number[] | null => {
  if (!text) return null
  const wanted = new Set(text.split(" "))
  const found = [...model.points.keys()].filter((i) => wanted.has(topicKey(model, i)))
  return found.length > 0 ? found : null
}

/** `<clip id>~<number>`: a topic by its place in its recording. */
export const topicKey = (model: MapModel, index: number): string => {
  const p = model.points[index]!
  return `${p.clip_id}~${p.number}`
}

const lineOf = ({ line, span }: Address): Pick<MapState, "axis" | "span"> => {
  const [from, to] = numbers(span)
  const axis = isAxis(line) ? line : null
  return { axis, span: axis && from !== undefined && to !== undefined && to >= from ? { from, to } : null }
}

/** The part of the state that an address stands for. What it names and the map lacks counts as not named. */
export const fromAddress = (a: Address, model: MapModel): Partial<MapState> => {
  const [clipId, number] = a.topic?.split("~") ?? []
  const selected = number ? model.points.findIndex((p) => p.clip_id === clipId && p.number === number) : NONE
  const clip = a.clip ? model.clipIds.indexOf(a.clip) : NONE
  return {
    clip,
    selected,
    colouring: isColouring(a.colour) ? a.colour : usualColouring(model),
    flat: a.flat === "1",
    off: new Set(numbers(a.off)),
    solo: numbers(a.solo)[0] ?? NONE,
    camera: numbers(a.camera).length === 6 ? numbers(a.camera) : null,
    chosen: chosenOf(a.chosen, model),
    allEdges: a.edges === "all",
    ...lineOf(a),
    query: a.q ?? "",
    ...(a.q ? {} : { hits: null }),
    view: selected !== NONE ? { to: "point", index: selected } : { to: clip === NONE ? "all" : "clip", index: clip },
  }
}

/** The query string of a state, without what is as at the beginning. */
export const toAddress = (state: MapState): string => {
  const { model, clip, selected, colouring, allEdges, query, flat, off, solo, camera, chosen, axis, span } = state
  const out = new URLSearchParams()
  if (!model) return ""
  if (clip !== NONE) out.set("clip", model.clipIds[clip]!)
  if (selected !== NONE) out.set("topic", topicKey(model, selected))
  if (colouring !== usualColouring(model)) out.set("colour", colouring)
  if (allEdges) out.set("edges", "all")
  if (query) out.set("q", query)
  if (flat) out.set("flat", "1")
  if (off.size > 0) out.set("off", [...off].sort((a, b) => a - b).join("_"))
  if (solo !== NONE) out.set("solo", String(solo))
  if (camera) out.set("camera", camera.join("_"))
  if (axis) out.set("line", axis)
  if (span) out.set("span", `${Math.round(span.from)}_${Math.round(span.to)}`)
  if (chosen && chosen.length <= MOST_CHOSEN) out.set("chosen", chosen.map((i) => topicKey(model, i)).join(" "))
  return out.toString()
}
