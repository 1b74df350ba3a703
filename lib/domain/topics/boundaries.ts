import type { StoredBoundaryEdit } from "./topic-edits.ts"
import type { TopicNode } from "./topic-tree.ts"

/** A boundary edit applies to a boundary of another topic run at most this far away. */
const MAX_BOUNDARY_SHIFT_S = 30

/** A boundary between two siblings. `before_s` is the end of the first one, which is earlier if there is a gap. */
type Boundary = { readonly at_s: number; readonly before_s: number }

const collectBoundaries = (node: TopicNode): Boundary[] =>
  node.children.flatMap((child, i) => [
    ...(i > 0 ? [{ at_s: child.start_s, before_s: node.children[i - 1]!.end_s }] : []),
    ...collectBoundaries(child),
  ])

/** Returns the boundaries of all levels in seconds, in order, without the start and the end of the recording. */
export const listBoundaries = (root: TopicNode): number[] =>
  [...new Set(collectBoundaries(root).map((boundary) => boundary.at_s))]
    .filter((time) => time > root.start_s && time < root.end_s)
    .sort((a, b) => a - b)

/**
 * Assigns edits to boundaries one to one, the nearest first. An edit prefers a boundary near its original time. Otherwise
 * it takes one near its new time, which a later run has put there by itself.
 */
const assignEdits = (
  boundaries: readonly number[],
  edits: readonly StoredBoundaryEdit[],
): Map<StoredBoundaryEdit, number> => {
  const candidates = edits
    .flatMap((edit) =>
      boundaries.flatMap((at_s) => [
        { edit, at_s, preference: 0, distance_s: Math.abs(at_s - edit.from_s) },
        { edit, at_s, preference: 1, distance_s: Math.abs(at_s - edit.to_s) },
      ]),
    )
    .filter(({ distance_s }) => distance_s <= MAX_BOUNDARY_SHIFT_S)
    .sort((a, b) => a.preference - b.preference || a.distance_s - b.distance_s || b.edit.edited_at - a.edit.edited_at)
  const assigned = new Map<StoredBoundaryEdit, number>()
  const taken = new Set<number>()
  for (const { edit, at_s } of candidates) {
    if (assigned.has(edit) || taken.has(at_s)) continue
    assigned.set(edit, at_s)
    taken.add(at_s)
  }
  return assigned
}

export type BoundaryMoves = {
  /** The edits that take effect, by the boundary of the run in seconds. */
  readonly applied: ReadonlyMap<number, StoredBoundaryEdit>
  /** The edits that do not: no boundary matches, or the moved boundary would cross another one. */
  readonly rejected: ReadonlyMap<StoredBoundaryEdit, "unmatched" | "crossing">
}

/**
 * Matches boundary edits to the boundaries of a run. If two boundaries would cross, the one that was edited earlier stays
 * in its original place. Boundaries at `pinned` times do not move.
 */
export const matchBoundaryEdits = (
  root: TopicNode,
  edits: readonly StoredBoundaryEdit[],
  pinned: ReadonlySet<number> = new Set(),
): BoundaryMoves => {
  const boundaries = listBoundaries(root)
  const movable = boundaries.filter((time) => !pinned.has(time))
  const assigned = assignEdits(movable, edits)
  const applied = new Map([...assigned].map(([edit, at_s]) => [at_s, edit]))
  const rejected = new Map<StoredBoundaryEdit, "unmatched" | "crossing">(
    edits.filter((edit) => !assigned.has(edit)).map((edit) => [edit, "unmatched"]),
  )
  const timeOf = (boundary: number | undefined, end_s: number) =>
    boundary === undefined ? end_s : (applied.get(boundary)?.to_s ?? boundary)
  const findCrossingEdit = (): StoredBoundaryEdit | undefined => {
    for (let i = 0; i <= boundaries.length; i++) {
      if (timeOf(boundaries[i - 1], root.start_s) < timeOf(boundaries[i], root.end_s)) continue
      const pair = [boundaries[i - 1], boundaries[i]].flatMap((b) => (b === undefined ? [] : (applied.get(b) ?? [])))
      if (pair.length > 0) return pair.reduce((a, b) => (b.edited_at < a.edited_at ? b : a))
    }
    return undefined
  }
  for (let edit = findCrossingEdit(); edit; edit = findCrossingEdit()) {
    rejected.set(edit, "crossing")
    applied.delete(assigned.get(edit)!)
  }
  return { applied, rejected }
}

/** Returns a function that maps the start or end of a topic of the run to its edited time. */
export const createTimeMapper = (root: TopicNode, { applied }: BoundaryMoves): ((time_s: number) => number) => {
  const moved = new Map([...applied].map(([at_s, edit]) => [at_s, edit.to_s]))
  for (const { at_s, before_s } of collectBoundaries(root)) {
    const to_s = moved.get(at_s)
    if (to_s !== undefined) moved.set(before_s, to_s)
  }
  return (time_s) => moved.get(time_s) ?? time_s
}
