import type { SearchResult, TopicPoint } from "#lib/domain/map.ts"

/** Hits with at least this share of the best score are highlighted on the map. The list shows all of them. */
const HIGHLIGHTED_SHARE = 0.5

/**
 * Returns the results to list, in their order: those whose point the filters include. Skips results whose point is another
 * topic on this map, because they belong to an older or newer map.
 * @param filtered 1 for each point that the filters include
 */
export const listHits = (
  results: readonly SearchResult[],
  filtered: Uint8Array,
  points: readonly TopicPoint[],
): readonly SearchResult[] =>
  results.filter(({ point_index, clip_id, topic_title }) => {
    const point = points[point_index]
    return filtered[point_index] === 1 && point?.clip_id === clip_id && point.topic_title === topic_title
  })

/** Returns the points to highlight, best first; null without hits, because dimming the whole map would look broken. */
export const listHighlightedHits = (hits: readonly SearchResult[]): readonly number[] | null => {
  const best = hits[0]?.score ?? 0
  const close = hits.filter((hit) => hit.score >= HIGHLIGHTED_SHARE * best)
  return close.length > 0 ? close.map((hit) => hit.point_index) : null
}

/** Returns the row that an arrow key activates, wrapping around at both ends; -1 for an empty list. */
export const moveActiveRow = (active: number, step: 1 | -1, count: number): number => {
  if (count === 0) return -1
  const next = active === -1 && step === -1 ? -1 : active + step
  return (next + count) % count
}
