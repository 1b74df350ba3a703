import { getNeighbors, type MapModel } from "./model.ts"

/** The topics that are listed for an open topic. */
const NEAREST_COUNT = 6

const isSameBranch = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

/**
 * Returns the topics nearest to a topic: those that share an edge with it, then the nearest ones on the map, first of other
 * recordings. A topic that contains it or that it contains is left out.
 */
export const listNearestTopics = (model: MapModel, index: number): number[] => {
  const { points, positions } = model
  const { clip_id, number } = points[index]!
  const linked = getNeighbors(model, index).map((neighbor) => neighbor.index)
  if (linked.length >= NEAREST_COUNT) return linked.slice(0, NEAREST_COUNT)
  const distanceTo = (other: number): number =>
    Math.hypot(...[0, 1, 2].map((axis) => positions[3 * other + axis]! - positions[3 * index + axis]!))
  const isOwn = (other: number) => points[other]!.clip_id === clip_id
  const others = [...points.keys()]
    .filter((other) => points[other]!.level > 1 && !linked.includes(other))
    .filter((other) => !isOwn(other) || !isSameBranch(points[other]!.number, number))
    .map((other) => ({ other, isOwn: isOwn(other), distance: distanceTo(other) }))
    .sort((a, b) => Number(a.isOwn) - Number(b.isOwn) || a.distance - b.distance)
  return [...linked, ...others.map(({ other }) => other)].slice(0, NEAREST_COUNT)
}
