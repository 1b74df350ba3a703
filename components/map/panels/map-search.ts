import type { SearchResult } from "#lib/domain/map.ts"

/** Lower similarities would be shown as 0%. */
const MIN_SIMILARITY = 0.005
/** Hits with at least this share of the best similarity are highlighted on the map. The list shows all of them. */
const HIGHLIGHTED_SHARE = 0.5

/** Returns the results to list. Skips results whose index is out of range because they belong to a newer map. */
export const listHits = (results: readonly SearchResult[], pointCount: number): readonly SearchResult[] =>
  results.filter((hit) => hit.point_index < pointCount && hit.similarity >= MIN_SIMILARITY)

/** Returns the points to highlight, best first; null without hits, because dimming the whole map would look broken. */
export const listHighlightedHits = (hits: readonly SearchResult[]): readonly number[] | null => {
  const best = hits[0]?.similarity ?? 0
  const close = hits.filter((hit) => hit.similarity >= HIGHLIGHTED_SHARE * best)
  return close.length > 0 ? close.map((hit) => hit.point_index) : null
}

/** Returns the row that an arrow key activates, wrapping around at both ends; -1 for an empty list. */
export const moveActiveRow = (active: number, step: 1 | -1, count: number): number => {
  if (count === 0) return -1
  const next = active === -1 && step === -1 ? -1 : active + step
  return (next + count) % count
}
