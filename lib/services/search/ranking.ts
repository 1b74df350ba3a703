import type { Hit } from "../../storage/stores/ports/documents.ts"

/** The constant k of reciprocal rank fusion. A larger k makes scores fall more slowly with rank. */
const RRF_K = 40

/**
 * Chunks have nearly the same text if their cosine distance is at most this share of the usual one between hits. With the
 * builtin embedder, whose hits are usually .78 apart, this is a cosine of .95.
 */
const NEAR_DUPLICATE_SHARE = 1 / 16
/** The usual distance if there are too few hits to measure it. */
const DEFAULT_DISTANCE = 0.8
const MIN_PAIRS = 20
/** The distances of each hit to others that are measured, and the steps between them in the ranking. */
const PAIRS_PER_HIT = 3
const PAIR_STEP = 37

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

/** Returns the median cosine distance between hits, which embedding models differ in. */
const measureUsualDistance = (vectors: readonly Float32Array[]): number => {
  const distances: number[] = []
  for (let i = 0; i < vectors.length; i++)
    for (let pair = 1; pair <= PAIRS_PER_HIT; pair++) {
      const other = (i + pair * PAIR_STEP) % vectors.length
      if (other !== i) distances.push(1 - dotProduct(vectors[i]!, vectors[other]!))
    }
  if (distances.length < MIN_PAIRS) return DEFAULT_DISTANCE
  return distances.sort((a, b) => a - b)[distances.length >> 1]!
}

/**
 * Returns the first `count` hits, with near-duplicates of earlier hits moved to the end.
 * @param vectors unit vectors by row
 */
export const demoteNearDuplicates = (
  hits: readonly Hit[],
  vectors: ReadonlyMap<number, Float32Array>,
  count: number,
): Hit[] => {
  const found = hits.flatMap(({ row }) => vectors.get(row) ?? [])
  const minSimilarity = 1 - NEAR_DUPLICATE_SHARE * measureUsualDistance(found)
  const distinct: Hit[] = []
  const duplicates: Hit[] = []
  for (const hit of hits) {
    if (distinct.length === count) break
    const vector = vectors.get(hit.row)
    const isDuplicate =
      vector &&
      distinct.some(({ row }) => {
        const other = vectors.get(row)
        return other !== undefined && dotProduct(other, vector) >= minSimilarity
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
