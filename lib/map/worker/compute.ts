import { buildMergeTree } from "../clusters/clusters.ts"
import { linkRelatedPoints } from "../clusters/edges.ts"
import { alignLayout } from "../layout/align-layout.ts"
import { projectNewPoints } from "../layout/project-points.ts"
import { computeLayout } from "../layout/umap.ts"
import {
  allocateGraph,
  copyGraph,
  findNeighbors,
  type Range,
  type RankedSearch,
  rankCandidates,
} from "../neighbors/nearest-neighbors.ts"
import { createPairSearch, type PairSearch, searchPairs } from "../neighbors/pair-search.ts"
import { updateNeighbors } from "../neighbors/update-neighbors.ts"
import type {
  ComposeRequest,
  Composition,
  KnownNeighbors,
  LinkRules,
  MergeTree,
  NeighborGraph,
  PointSet,
  RefitRequest,
} from "../types.ts"

/** The number of rows from which on a second thread saves more time than its start takes. */
export const SECOND_THREAD_MIN_ROWS = 1000

/** A second thread. Its methods start their work immediately. */
export type SecondThread = {
  /** Starts the thread ahead of its first task. */
  start(): void
  /** Takes part in a search, as thread 1. */
  search(points: PointSet, search: PairSearch): Promise<void>
  rankCandidates(points: PointSet, search: RankedSearch, range: Range, graph: NeighborGraph): Promise<void>
  buildMergeTree(points: PointSet, graph: NeighborGraph): Promise<MergeTree>
}

const computeNeighbors = async (
  { vectors, rows, dims }: PointSet,
  known: KnownNeighbors | null,
  secondThread: SecondThread | null,
): Promise<NeighborGraph> => {
  const own = { vectors, n: rows, dims }
  const updated = known && updateNeighbors(own, known)
  if (updated) return updated
  if (!secondThread) return findNeighbors(vectors, rows, dims)
  const points = { vectors, rows, dims, rowOf: new Int32Array(0) }
  secondThread.start()
  const search = createPairSearch(own, 2)
  await runBoth(secondThread.search(points, search), () => searchPairs(own, search))
  const half = Math.ceil(rows / 2)
  const graph = allocateGraph(rows)
  await runBoth(secondThread.rankCandidates(points, search, { from: half, to: rows }, graph), () =>
    rankCandidates(own, search, { from: 0, to: half }, graph),
  )
  return copyGraph(graph)
}

/** Runs work on this thread while the second thread runs its own. An error of this thread is thrown first. */
const runBoth = async (onSecondThread: Promise<void>, onThisThread: () => void): Promise<void> => {
  onSecondThread.catch(() => {})
  onThisThread()
  await onSecondThread
}

const measure = async <T>(work: () => T | Promise<T>): Promise<[result: T, milliseconds: number]> => {
  const from = performance.now()
  const result = await work()
  return [result, performance.now() - from]
}

const allowAllLinks = (points: number): LinkRules => ({
  levelOf: new Uint8Array(points),
  groupOf: Int32Array.from({ length: points }, (_, point) => point),
})

/** Computes everything that the map shows from one neighbor graph. A second thread does not change the result. */
export const composeMap = async (
  { points, links = allowAllLinks(points.rowOf.length), previous, known = null, seed }: ComposeRequest,
  secondThread: SecondThread | null = null,
): Promise<Composition> => {
  const { vectors, rows, dims } = points
  const [graph, knn] = await measure(() => computeNeighbors(points, known, secondThread))
  // The second thread computes the clusters while this thread computes the layout.
  const clustering = secondThread && measure(() => secondThread.buildMergeTree(points, graph))
  if (clustering) clustering.catch(() => {})
  const [coords, layout] = await measure(() =>
    previous?.known.includes(1)
      ? projectNewPoints(points, previous)
      : computeLayout(vectors, rows, dims, { seed, graph }),
  )
  const [edges, edgesMs] = await measure(() => linkRelatedPoints(points, graph, links))
  const [merges, clusters] = await (clustering ?? measure(() => buildMergeTree(points, graph)))
  return { graph, edges, merges, coords, timings: { knn, layout, clusters, edges: edgesMs } }
}

/** Computes a new layout and aligns it with the previous one. */
export const refitLayout = ({ points, graph, previous, seed }: RefitRequest): Float32Array =>
  alignLayout(computeLayout(points.vectors, points.rows, points.dims, { seed, graph }), previous)
