import type { Hit } from "../../../storage/stores/ports/documents.ts"

/** Constant of reciprocal rank fusion: how slowly a place in a list loses its worth. */
export const RRF_K = 40

export type Ranking = { readonly hits: readonly Hit[]; readonly weight: number }

/**
 * Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): a row scores weight / (k + place) in every list
 * that has it. Scores are scaled so that the first of every list has 1; best first, among equals the lower row.
 */
export const fuse = (rankings: readonly Ranking[], k: number = RRF_K): Hit[] => {
  const scores = new Map<number, number>()
  const best = rankings.reduce((sum, { weight }) => sum + weight / (k + 1), 0)
  for (const { hits, weight } of rankings)
    hits.forEach(({ row }, place) => {
      scores.set(row, (scores.get(row) ?? 0) + weight / (k + place + 1) / best)
    })
  return [...scores].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row)
}
