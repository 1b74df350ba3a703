import type { NeighborGraph } from "../types.ts"
import { copyGraph, findNearestTargets, type RankedSearch } from "./nearest-neighbors.ts"
import {
  type Breadth,
  compareCandidates,
  compareGroups,
  createNeighborDescent,
  markAllNew,
  mergeFound,
  type NeighborDescent,
} from "./neighbor-descent.ts"
import { capNeighbors, DEFAULT_NEIGHBORS, type Rows } from "./pair-search.ts"

/** Rows whose exact neighbors are computed to estimate the recall. */
const RECALL_SAMPLE_ROWS = 96
const MIN_RECALL = 0.99
/** Rounds with each breadth. The second breadth serves vectors that form no groups, such as those of short texts. */
const ROUNDS: readonly Breadth[] = [
  ...Array<Breadth>(3).fill({ joined: 30, joinedReverse: 48 }),
  ...Array<Breadth>(4).fill({ joined: 40, joinedReverse: 96 }),
]

/** Runs a step on all threads. */
export type DescentThreads = {
  readonly count: number
  /** Compares the rows of the same groups (breadth null), or candidates with each other. */
  compare(descent: NeighborDescent, breadth: Breadth | null): Promise<void>
  rank(search: RankedSearch): Promise<NeighborGraph>
}

/** Runs thread `thread`'s share of a step of a descent. */
export const runDescentStep = (
  rows: Pick<Rows, "n" | "dims">,
  descent: NeighborDescent,
  breadth: Breadth | null,
  thread: number,
): void => {
  if (breadth) compareCandidates(rows, descent, breadth, thread)
  else compareGroups(rows, descent, thread)
}

/**
 * Finds nearest neighbors by descent, in much less time than all pairs take if rows are many. The similarities of the
 * candidates are then computed in float32. Deterministic.
 *
 * Returns null if an estimate of the recall stays below 0.99.
 */
export const findApproximateNeighbors = async (
  rows: Rows,
  threads: DescentThreads,
  k = DEFAULT_NEIGHBORS,
): Promise<NeighborGraph | null> => {
  const wanted = capNeighbors(k, rows.n)
  const descent = createNeighborDescent(rows, threads.count, wanted)
  const estimateRecall = openRecallEstimate(rows, wanted)
  await threads.compare(descent, null)
  mergeFound(rows.n, descent, 0)
  for (const [round, breadth] of ROUNDS.entries()) {
    if (estimateRecall(descent) >= MIN_RECALL) break
    if (breadth !== ROUNDS[round - 1]) markAllNew(rows.n, descent)
    await threads.compare(descent, breadth)
    mergeFound(rows.n, descent, breadth.joined)
  }
  if (estimateRecall(descent) < MIN_RECALL) return null
  return copyGraph(await threads.rank({ width: descent.width, found: [descent.candidates], filter: null }))
}

/** Returns a function that estimates the share of true neighbors among the candidates from a sample of rows. */
const openRecallEstimate = ({ vectors, n, dims }: Rows, k: number) => {
  const sampleRows = Math.min(n, RECALL_SAMPLE_ROWS)
  const queries = Int32Array.from({ length: sampleRows }, (_, i) => Math.floor((i * n) / sampleRows))
  const targets = Int32Array.from({ length: n }, (_, i) => i)
  const truth = findNearestTargets({ vectors, dims, queries, targets, k })
  return ({ candidates, width }: NeighborDescent): number => {
    let hits = 0
    queries.forEach((row, q) => {
      const own = candidates.indices.slice(row * width, (row + 1) * width).filter((i) => i >= 0)
      const { similarities } = findNearestTargets({
        vectors,
        dims,
        queries: queries.subarray(q, q + 1),
        targets: own,
        k,
      })
      // Ties with the farthest true neighbor count.
      const minSimilarity = truth.similarities[(q + 1) * k - 1]! - 1e-6
      for (const similarity of similarities) if (similarity >= minSimilarity) hits++
    })
    return hits / (sampleRows * k)
  }
}
