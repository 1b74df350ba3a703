import { COLOURINGS, type Colouring, type MapModel, RADIUS, usualColouring } from "./model.ts"
import { ORDERED } from "./ordered.ts"
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
  /** The groups that are greyed, and the one that alone is lit: steps of a scale by number, others by a topic in them. */
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

/** Farther than this nobody comes by hand. */
const FARTHEST = 100 * RADIUS

/** Eye and target: six numbers within reach, and not one place for both. */
const cameraOf = (text: string | undefined): number[] | null => {
  const at = numbers(text)
  if (at.length !== 6 || at.some((v) => Math.abs(v) > FARTHEST)) return null
  return Math.hypot(at[0]! - at[3]!, at[1]! - at[4]!, at[2]! - at[5]!) > 0.1 ? at : null
}

/** What the search takes at most, as the service says it. */
const LONGEST_QUERY = 512

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

const isScale = (colouring: Colouring): boolean => ORDERED.some((c) => c === colouring)

/** Groups of a colouring as the address has them. Their own numbers are others' after the next recording. */
const groupsOf = (text: string | undefined, model: MapModel, colouring: Colouring): number[] => {
  if (!text) return []
  const there = new Set(model.groups[colouring].map((group) => group.id))
  if (isScale(colouring)) return numbers(text).filter((id) => there.has(id))
  const wanted = new Set(text.split(" "))
  const found = [...model.points.keys()].filter((i) => wanted.has(topicKey(model, i)))
  return [...new Set(found.map((i) => model.groupOf[colouring][i]!))].filter((id) => there.has(id))
}

const groupsText = (ids: Iterable<number>, { model, colouring }: { model: MapModel; colouring: Colouring }): string => {
  const sorted = [...ids].sort((a, b) => a - b)
  if (isScale(colouring)) return sorted.join("_")
  const anchors = new Map(model.groups[colouring].map(({ id, anchor }) => [id, anchor]))
  return sorted.flatMap((id) => (anchors.has(id) ? [topicKey(model, anchors.get(id)!)] : [])).join(" ")
}

/** What was gathered, greyed and lit alone on the map before, on a new one: an address holds some of it, the map all. */
export const carriedOver = (model: MapModel, before: MapState): Partial<MapState> => {
  const { model: old, chosen, off, solo, colouring } = before
  if (!old) return {}
  const groups = (ids: Iterable<number>) => groupsOf(groupsText(ids, { model: old, colouring }), model, colouring)
  return {
    chosen: chosen && chosenOf(chosen.map((i) => topicKey(old, i)).join(" "), model),
    off: new Set(groups(off)),
    solo: solo === NONE ? NONE : (groups([solo])[0] ?? NONE),
  }
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
  const colouring = isColouring(a.colour) ? a.colour : usualColouring(model)
  const query = (a.q ?? "").slice(0, LONGEST_QUERY)
  return {
    clip,
    selected,
    colouring,
    flat: a.flat === "1",
    off: new Set(groupsOf(a.off, model, colouring)),
    solo: groupsOf(a.solo, model, colouring)[0] ?? NONE,
    camera: cameraOf(a.camera),
    chosen: chosenOf(a.chosen, model),
    allEdges: a.edges === "all",
    ...lineOf(a),
    query,
    ...(query ? {} : { hits: null }),
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
  const groups = { model, colouring }
  if (off.size > 0 && off.size <= MOST_CHOSEN) out.set("off", groupsText(off, groups))
  if (solo !== NONE) out.set("solo", groupsText([solo], groups))
  if (camera) out.set("camera", camera.join("_"))
  if (axis) out.set("line", axis)
  if (span) out.set("span", `${Math.round(span.from)}_${Math.round(span.to)}`)
  if (chosen && chosen.length <= MOST_CHOSEN) out.set("chosen", chosen.map((i) => topicKey(model, i)).join(" "))
  return out.toString()
}
