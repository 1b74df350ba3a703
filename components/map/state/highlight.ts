import { type MapState, NONE } from "./store.ts"
import { overlapsSpan } from "./timeline.ts"

/** Returns true if the filters of the two states include different points. */
const filterChanged = (a: MapState, b: MapState): boolean =>
  a.coloring !== b.coloring ||
  a.soloGroup !== b.soloGroup ||
  a.dimmedGroups !== b.dimmedGroups ||
  a.collected !== b.collected ||
  a.clip !== b.clip ||
  a.span !== b.span

/** Returns true if the two states highlight different points or color them differently. */
export const highlightChanged = (a: MapState, b: MapState): boolean =>
  filterChanged(a, b) || a.hits !== b.hits || a.selected !== b.selected

/** Returns 1 for each point that the filters include: groups, recording, collected topics and time. */
const computeFiltered = (state: MapState): Uint8Array => {
  const { model, clip, soloGroup, dimmedGroups, coloring, axis, span } = state
  if (!model) return new Uint8Array()
  const collected = state.collected && new Set(state.collected)
  const clipIds = model.groupings.clip.ids
  const groupIds = model.groupings[coloring].ids
  const timeline = axis && span && model.timelines[axis]
  const filtered = new Uint8Array(model.count)
  for (let i = 0; i < model.count; i++) {
    const isIncluded =
      (!collected || collected.has(i)) &&
      (clip === NONE || clipIds[i] === clip) &&
      (soloGroup === NONE || groupIds[i] === soloGroup) &&
      !dimmedGroups.has(groupIds[i]!) &&
      (!timeline || overlapsSpan(timeline, span, i))
    filtered[i] = isIncluded ? 1 : 0
  }
  return filtered
}

/** Returns 1 for each highlighted point and 0 for each dimmed one. The open topic is always highlighted. */
export const computeHighlighted = (state: MapState): Uint8Array => {
  const filtered = getFiltered(state)
  const hits = state.hits && new Set(state.hits)
  return filtered.map((isIncluded, i) => (i === state.selected || (isIncluded === 1 && (!hits || hits.has(i))) ? 1 : 0))
}

type Cached = (state: MapState) => Uint8Array

/** Reuses the last result while the state has not changed in a way that matters. */
const cacheLast = (compute: Cached, hasChanged: (a: MapState, b: MapState) => boolean): Cached => {
  let cache: { readonly state: MapState; readonly result: Uint8Array } | null = null
  return (state) => {
    const isValid =
      cache?.state.model === state.model && cache.state.axis === state.axis && !hasChanged(cache.state, state)
    if (cache && isValid) return cache.result
    cache = { state, result: compute(state) }
    return cache.result
  }
}

/** Returns 1 for each point that the filters include; the search does not matter. Cached. */
export const getFiltered = cacheLast(computeFiltered, filterChanged)

/** Returns the result of `computeHighlighted`. Cached. */
export const getHighlighted = cacheLast(computeHighlighted, highlightChanged)
