import type { Hit } from "../../storage/stores/ports/documents.ts"

/** The constant k of reciprocal rank fusion. A larger k makes scores fall more slowly with rank. */
const RRF_K = 40

/** Chunks with at least this cosine similarity have nearly the same text. */
const NEAR_DUPLICATE_COSINE = 0.95

/** The number of hits of each ranking that are fused. */
export const FUSION_DEPTH = 200

export type Ranking = { readonly hits: readonly Hit[]; readonly weight: number }

/**
 * Merges rankings by weighted reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): a hit scores weight / (k + rank)
 * in every ranking that contains it. Scores are scaled so that a hit that is first in every ranking scores 1. Returns the
 * best hits first.
 */
export const fuseRankings = (rankings: readonly Ranking[], k: number = RRF_K): Hit[] => {
  const scores = new Map<number, number>()
  const maxScore = rankings.reduce((sum, { weight }) => sum + weight / (k + 1), 0)
  for (const { hits, weight } of rankings)
    hits.forEach(({ row }, i) => {
      scores.set(row, (scores.get(row) ?? 0) + weight / (k + i + 1) / maxScore)
    })
  return sortHits(scores)
}

export const rowsOf = (hits: readonly Hit[]): number[] => hits.map(({ row }) => row)

/** Returns hits by descending score, ties by row. */
export const sortHits = (scores: ReadonlyMap<number, number>): Hit[] =>
  [...scores].map(([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row)

/**
 * Returns the first `count` hits, with near-duplicates of earlier hits moved to the end.
 * @param vectors unit vectors by row
 */
export const demoteNearDuplicates = (
  hits: readonly Hit[],
  vectors: ReadonlyMap<number, Float32Array>,
  count: number,
): Hit[] => {
  const distinct: Hit[] = []
  const duplicates: Hit[] = []
  for (const hit of hits) {
    if (distinct.length === count) break
    const vector = vectors.get(hit.row)
    const isDuplicate =
      vector &&
      distinct.some(({ row }) => {
        const other = vectors.get(row)
        return other !== undefined && dotProduct(other, vector) >= NEAR_DUPLICATE_COSINE
      })
    if (isDuplicate) duplicates.push(hit)
    else distinct.push(hit)
  }
  return [...distinct, ...duplicates.slice(0, count - distinct.length)]
}

const dotProduct = (a: Float32Array, b: Float32Array): number => {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
