import { type Coloring, isColoring, isOrdered } from "./coloring.ts"
import { defaultColoring, type MapModel, RADIUS, topicKey } from "./model.ts"
import { type MapState, NONE, viewOfFocus } from "./store.ts"
import { isAxis } from "./timeline.ts"

/** Query parameters of the map page. They name topics and recordings by ID, because indices change with every map. */
export type UrlState = {
  clip?: string
  topic?: string
  colour?: string
  q?: string
  edges?: string
  /** "1" if the map is shown in a plane. */
  flat?: string
  /** Dimmed groups: steps of an ordered coloring by number, other groups by a topic in them. */
  off?: string
  /** The solo group, in the same form. */
  solo?: string
  /** Position and target of the camera: six numbers. */
  camera?: string
  /** Collected topics. */
  chosen?: string
  /** The axis of the timeline. */
  line?: string
  /** The highlighted part of the timeline: two numbers. */
  span?: string
}

/** Longer lists would make URLs that some programs reject. */
const MAX_URL_TOPICS = 60

/** The camera cannot be moved farther than this by hand. */
const MAX_COORDINATE = 100 * RADIUS

/** The limit of `/viz/search`. */
const MAX_QUERY_LENGTH = 512

const parseNumbers = (text: string | undefined): number[] =>
  text ? text.split("_").map(Number).filter(Number.isFinite) : []

/** Returns six numbers, or null if they are out of range or if position and target coincide. */
const parseCamera = (text: string | undefined): number[] | null => {
  const pose = parseNumbers(text)
  if (pose.length !== 6 || pose.some((v) => Math.abs(v) > MAX_COORDINATE)) return null
  return Math.hypot(pose[0]! - pose[3]!, pose[1]! - pose[4]!, pose[2]! - pose[5]!) > 0.1 ? pose : null
}

const findTopics = (keys: readonly string[], model: MapModel): number[] => {
  const wanted = new Set(keys)
  return [...model.points.keys()].filter((i) => wanted.has(topicKey(model, i)))
}

const parseCollected = (text: string | undefined, model: MapModel): number[] | null => {
  const found = text ? findTopics(text.split(" "), model) : []
  return found.length > 0 ? found : null
}

const parseGroups = (text: string | undefined, model: MapModel, coloring: Coloring): number[] => {
  if (!text) return []
  const { ids, groups } = model.groupings[coloring]
  const existing = new Set(groups.map((group) => group.id))
  const wanted = isOrdered(coloring) ? parseNumbers(text) : findTopics(text.split(" "), model).map((i) => ids[i]!)
  return [...new Set(wanted)].filter((id) => existing.has(id))
}

const formatGroups = (groupIds: Iterable<number>, model: MapModel, coloring: Coloring): string => {
  const sorted = [...groupIds].sort((a, b) => a - b)
  if (isOrdered(coloring)) return sorted.join("_")
  const anchors = new Map(model.groupings[coloring].groups.map(({ id, anchor }) => [id, anchor]))
  return sorted.flatMap((id) => (anchors.has(id) ? [topicKey(model, anchors.get(id)!)] : [])).join(" ")
}

/** Translates collected topics and dimmed groups of the previous model to `model`. The URL may hold only some of them. */
export const carryOverState = (model: MapModel, previous: MapState): Partial<MapState> => {
  const { model: oldModel, collected, dimmedGroups, soloGroup, coloring } = previous
  if (!oldModel) return {}
  const translate = (groupIds: Iterable<number>) =>
    parseGroups(formatGroups(groupIds, oldModel, coloring), model, coloring)
  return {
    collected: collected && parseCollected(collected.map((i) => topicKey(oldModel, i)).join(" "), model),
    dimmedGroups: new Set(translate(dimmedGroups)),
    soloGroup: soloGroup === NONE ? NONE : (translate([soloGroup])[0] ?? NONE),
  }
}

const parseTimeline = ({ line, span }: UrlState): Pick<MapState, "axis" | "span"> => {
  const [from, to] = parseNumbers(span)
  const axis = isAxis(line) ? line : null
  return { axis, span: axis && from !== undefined && to !== undefined && to >= from ? { from, to } : null }
}

/** Returns the state for a URL. Invalid values and topics that are not on the map are ignored. */
export const parseUrlState = (url: UrlState, model: MapModel): Partial<MapState> => {
  const [clipId, number] = url.topic?.split("~") ?? []
  const selected = number ? model.points.findIndex((p) => p.clip_id === clipId && p.number === number) : NONE
  const clip = url.clip ? model.clipIds.indexOf(url.clip) : NONE
  const coloring = isColoring(url.colour) ? url.colour : defaultColoring(model)
  const soloGroup = parseGroups(url.solo, model, coloring)[0] ?? NONE
  const query = (url.q ?? "").slice(0, MAX_QUERY_LENGTH)
  return {
    clip,
    selected,
    coloring,
    flat: url.flat === "1",
    dimmedGroups: new Set(parseGroups(url.off, model, coloring)),
    soloGroup,
    camera: parseCamera(url.camera),
    collected: parseCollected(url.chosen, model),
    allEdges: url.edges === "all",
    ...parseTimeline(url),
    query,
    ...(query ? {} : { hits: null }),
    view: selected !== NONE ? { to: "point", index: selected } : viewOfFocus({ clip, soloGroup }),
  }
}

const URL_KEYS: Readonly<Record<keyof UrlState, true>> = {
  clip: true,
  topic: true,
  colour: true,
  q: true,
  edges: true,
  flat: true,
  off: true,
  solo: true,
  camera: true,
  chosen: true,
  line: true,
  span: true,
}

/** Returns the query string for a state. Parameters of `current` that do not belong to the map are kept. */
export const replaceUrlState = (current: string, state: MapState): string => {
  const out = new URLSearchParams(current)
  for (const key of Object.keys(URL_KEYS)) out.delete(key)
  for (const [key, value] of new URLSearchParams(formatUrlState(state))) out.set(key, value)
  return out.toString()
}

/** Returns the query string of a state, without the defaults. */
export const formatUrlState = (state: MapState): string => {
  const { model, clip, selected, coloring, query, dimmedGroups, soloGroup, camera, collected, axis, span } = state
  const out = new URLSearchParams()
  if (!model) return ""
  if (clip !== NONE) out.set("clip", model.clipIds[clip]!)
  if (selected !== NONE) out.set("topic", topicKey(model, selected))
  if (coloring !== defaultColoring(model)) out.set("colour", coloring)
  if (state.allEdges) out.set("edges", "all")
  if (query) out.set("q", query)
  if (state.flat) out.set("flat", "1")
  if (dimmedGroups.size > 0 && dimmedGroups.size <= MAX_URL_TOPICS)
    out.set("off", formatGroups(dimmedGroups, model, coloring))
  if (soloGroup !== NONE) out.set("solo", formatGroups([soloGroup], model, coloring))
  if (camera) out.set("camera", camera.join("_"))
  if (axis) out.set("line", axis)
  if (span) out.set("span", `${Math.round(span.from)}_${Math.round(span.to)}`)
  if (collected && collected.length <= MAX_URL_TOPICS)
    out.set("chosen", collected.map((i) => topicKey(model, i)).join(" "))
  return out.toString()
}
