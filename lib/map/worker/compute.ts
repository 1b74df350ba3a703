import { mergeTree } from "../clusters/clusters.ts"
import { nearestEdges } from "../clusters/edges.ts"
import { alignLayout } from "../layout/align-layout.ts"
import { projectNewPoints } from "../layout/project-points.ts"
import { umap3d } from "../layout/umap.ts"
import { approximateNeighbours, type Usearch } from "../neighbors/approximate.ts"
import { nearestNeighbours, neighboursAmong, openGraph, ownGraph, type Range } from "../neighbors/knn.ts"
import { openSearch, type Search, searchPairs } from "../neighbors/search.ts"
import type { ComposeRequest, Composition, MergeTree, NeighbourGraph, PointSet, RefitRequest } from "../types.ts"

/** From so many rows on neighbours are looked up in an index: a search through all pairs takes longer there. */
export const APPROXIMATE_FROM = 20_000
/** From so many rows on a second thread is worth its start. */
export const HELP_FROM = 1000

/** A second thread, asked at the beginning of what it is to do. */
export type Helper = {
  /** So that it is there when it is asked. */
  start(): void
  /** The other half of a search through all pairs, as the search's second part. */
  search(points: PointSet, search: Search): Promise<void>
  /** The neighbours of these rows, into the graph. */
  neighbours(points: PointSet, search: Search, range: Range, graph: NeighbourGraph): Promise<void>
  merges(points: PointSet, graph: NeighbourGraph): Promise<MergeTree>
}

/** What the machine has to offer. Results are the same with it and without but for the index. */
export type Means = { readonly helper: Helper | null; readonly usearch: Usearch | null }

const ALONE: Means = { helper: null, usearch: null }

const neighboursOf = async ({ vectors, rows, dims }: PointSet, { helper, usearch }: Means): Promise<NeighbourGraph> => {
  const indexed = usearch && rows >= APPROXIMATE_FROM ? approximateNeighbours(usearch, vectors, rows, dims) : null
  if (indexed) return indexed
  if (!helper) return nearestNeighbours(vectors, rows, dims)
  helper.start()
  const own = { vectors, n: rows, dims }
  const points = { vectors, rows, dims, rowOf: new Int32Array(0) }
  const search = openSearch(own, 2)
  await both(helper.search(points, search), () => searchPairs(own, search))
  const half = Math.ceil(rows / 2)
  const graph = openGraph(rows)
  await both(helper.neighbours(points, search, { from: half, to: rows }, graph), () =>
    neighboursAmong(own, search, { from: 0, to: half }, graph),
  )
  return ownGraph(graph)
}

/** What the helper does, beside what this thread does; a failure here comes first. */
const both = async (theirs: Promise<void>, own: () => void): Promise<void> => {
  theirs.catch(() => {})
  own()
  await theirs
}

const timed = async <T>(work: () => T | Promise<T>): Promise<[T, number]> => {
  const from = performance.now()
  const result = await work()
  return [result, performance.now() - from]
}

/** Everything that the map shows of a set of points, from one neighbour graph. */
export const compose = async ({ points, places, seed }: ComposeRequest, means = ALONE): Promise<Composition> => {
  const { vectors, rows, dims } = points
  const [graph, knn] = await timed(() => neighboursOf(points, means))
  // The helper clusters while this thread lays out.
  const clustering = means.helper && timed(() => means.helper!.merges(points, graph))
  if (clustering) clustering.catch(() => {})
  const [coords, layout] = await timed(() =>
    places?.known.includes(1) ? projectNewPoints(points, places) : umap3d(vectors, rows, dims, { seed, knn: graph }),
  )
  const [edges, edgesTook] = await timed(() => nearestEdges(points, graph))
  const [merges, clusters] = await (clustering ?? timed(() => mergeTree(points, graph)))
  return { graph, edges, merges, coords, timings: { knn, layout, clusters, edges: edgesTook } }
}

/** A new layout in the old one's frame. */
export const refit = ({ points, graph, places, seed }: RefitRequest): Float32Array =>
  alignLayout(umap3d(points.vectors, points.rows, points.dims, { seed, knn: graph }), places)
