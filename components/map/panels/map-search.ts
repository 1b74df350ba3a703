import type { SearchResult } from "#lib/domain/map.ts"

/** Hits with at least this share of the best score are highlighted on the map. The list shows all of them. */
const HIGHLIGHTED_SHARE = 0.5

/**
 * Returns the results to list, in their order: those whose point the filters include. Skips results whose index is out of
 * range because they belong to a newer map.
 * @param filtered 1 for each point that the filters include
 */
export const listHits = (results: readonly SearchResult[], filtered: Uint8Array): readonly SearchResult[] =>
  results.filter((hit) => filtered[hit.point_index] === 1)

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
