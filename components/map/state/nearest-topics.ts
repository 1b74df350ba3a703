import { getNeighbors, type MapModel } from "./model.ts"

/** The topics that are listed for an open topic. */
const NEAREST_COUNT = 6

/** More than any distance on the map, in scene units. */
const OWN_DISTANCE = 1e6

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
  const isLinked = new Set(linked)
  const wanted = NEAREST_COUNT - linked.length
  const nearest: { readonly other: number; readonly distance: number }[] = []
  for (let other = 0; other < model.count; other++) {
    const point = points[other]!
    if (point.level <= 1 || isLinked.has(other)) continue
    const isOwn = point.clip_id === clip_id
    if (isOwn && isSameBranch(point.number, number)) continue
    // Topics of the same recording come after all others.
    const distance = distanceBetween(positions, index, other) + (isOwn ? OWN_DISTANCE : 0)
    if (nearest.length === wanted && distance >= nearest.at(-1)!.distance) continue
    nearest.push({ other, distance })
    nearest.sort((a, b) => a.distance - b.distance)
    nearest.length = Math.min(nearest.length, wanted)
  }
  return [...linked, ...nearest.map(({ other }) => other)]
}

const distanceBetween = (positions: Float32Array, a: number, b: number): number =>
  Math.hypot(
    positions[3 * a]! - positions[3 * b]!,
    positions[3 * a + 1]! - positions[3 * b + 1]!,
    positions[3 * a + 2]! - positions[3 * b + 2]!,
  )
