import { type MapState, NONE } from "./store.ts"
import { overlapsSpan } from "./timeline.ts"

/** Returns true if the two states highlight different points or color them differently. */
export const highlightChanged = (a: MapState, b: MapState): boolean =>
  a.coloring !== b.coloring ||
  a.soloGroup !== b.soloGroup ||
  a.dimmedGroups !== b.dimmedGroups ||
  a.collected !== b.collected ||
  a.clip !== b.clip ||
  a.hits !== b.hits ||
  a.span !== b.span ||
  a.selected !== b.selected

/** Returns 1 for each highlighted point and 0 for each dimmed one. The open topic is always highlighted. */
export const computeHighlighted = (state: MapState): Uint8Array => {
  const { model, clip, soloGroup, dimmedGroups, coloring, axis, span } = state
  if (!model) return new Uint8Array()
  const hits = state.hits && new Set(state.hits)
  const collected = state.collected && new Set(state.collected)
  const clipIds = model.groupings.clip.ids
  const groupIds = model.groupings[coloring].ids
  const timeline = axis && span && model.timelines[axis]
  const highlighted = new Uint8Array(model.count)
  for (let i = 0; i < model.count; i++) {
    const isHighlighted =
      (!hits || hits.has(i)) &&
      (!collected || collected.has(i)) &&
      (clip === NONE || clipIds[i] === clip) &&
      (soloGroup === NONE || groupIds[i] === soloGroup) &&
      !dimmedGroups.has(groupIds[i]!) &&
      (!timeline || overlapsSpan(timeline, span, i))
    highlighted[i] = isHighlighted || i === state.selected ? 1 : 0
  }
  return highlighted
}

let cache: { readonly state: MapState; readonly highlighted: Uint8Array } | null = null

/** Returns the result of `computeHighlighted` and reuses the last one while it is still valid. */
export const getHighlighted = (state: MapState): Uint8Array => {
  const isValid =
    cache?.state.model === state.model && cache.state.axis === state.axis && !highlightChanged(cache.state, state)
  if (cache && isValid) return cache.highlighted
  cache = { state, highlighted: computeHighlighted(state) }
  return cache.highlighted
}
