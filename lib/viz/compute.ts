import { mergeTree } from "./clusters.ts"
import { nearestEdges } from "./edges.ts"
import { nearestNeighbours } from "./knn.ts"
import { placeNew } from "./place.ts"
import { registerLayout } from "./register.ts"
import type { ComposeRequest, Composition, RefitRequest } from "./types.ts"
import { umap3d } from "./umap.ts"

/** Everything that the map shows of a set of points, from one neighbour graph. */
export const compose = ({ points, places, seed }: ComposeRequest): Composition => {
  const { vectors, rows, dims } = points
  const graph = nearestNeighbours(vectors, rows, dims)
  return {
    graph,
    edges: nearestEdges(points, graph),
    merges: mergeTree(points, graph),
    coords: places?.known.includes(1) ? placeNew(points, places) : umap3d(vectors, rows, dims, { seed, knn: graph }),
  }
}

/** A new layout in the old one's frame. */
export const refit = ({ points, graph, places, seed }: RefitRequest): Float32Array =>
  registerLayout(umap3d(points.vectors, points.rows, points.dims, { seed, knn: graph }), places)
