import type { MapModel } from "../state/model.ts"
import { listPath } from "../state/path.ts"
import { type MapState, NONE } from "../state/store.ts"

/** Returns the largest number of ends that `writeLines` writes: of all edges, of all again for the open topic, and of a path through all points. */
export const countLineEnds = ({ edges, count }: MapModel): number => edges.length * 2 + count * 2

/** Returns the opacity of an edge relative to that on a map with few edges. */
export const lineDensity = ({ edges }: MapModel): number => Math.min(1, Math.max(0.3, 12 * (edges.length / 2) ** -0.4))

/** Writes the edges between search hits. Returns the number of ends. */
const writeHitEdges = ({ edges }: MapModel, hits: readonly number[], index: Uint32Array): number => {
  const found = new Set(hits)
  let end = 0
  for (let k = 0; k < edges.length; k += 2)
    if (found.has(edges[k]!) && found.has(edges[k + 1]!)) {
      index[end++] = edges[k]!
      index[end++] = edges[k + 1]!
    }
  return end
}

/**
 * Writes both ends of the lines to draw, each part with a style of its own: all edges if they are switched on, or those
 * between search hits; the edges of the open topic; and the path of the highlighted recording. Returns the number of
 * ends of each part.
 */
export const writeLines = (model: MapModel, state: MapState, index: Uint32Array): readonly [number, number, number] => {
  let all = 0
  if (state.allEdges) {
    index.set(model.edges)
    all = model.edges.length
  } else if (state.hits) all = writeHitEdges(model, state.hits, index)
  let end = all
  const { selected, clip } = state
  if (selected !== NONE)
    for (let k = model.edgeStarts[selected]!; k < model.edgeStarts[selected + 1]!; k++) {
      const edge = model.incidentEdges[k]! * 2
      index[end++] = model.edges[edge]!
      index[end++] = model.edges[edge + 1]!
    }
  const path = clip === NONE ? [] : listPath(model, clip)
  for (let k = 1; k < path.length; k++) index.set([path[k - 1]!, path[k]!], end + 2 * k - 2)
  return [all, end - all, 2 * Math.max(0, path.length - 1)]
}

/** Returns true if the two states have different lines. */
export const linesChanged = (a: MapState, b: MapState) =>
  a.selected !== b.selected || a.allEdges !== b.allEdges || a.hits !== b.hits || a.clip !== b.clip
