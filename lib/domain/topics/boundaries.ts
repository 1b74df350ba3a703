import type { BorderEdit } from "./stored-edit.ts"
import type { TopicNode } from "./topic-tree.ts"

/** A border of a later run is the one that was moved when it lies this near to where it was or was put, in seconds. */
export const SAME_BORDER_S = 30

/** Where one topic ends and the next of its level begins; `before_s`: the end of the one before, where a gap lies between. */
type Border = { readonly at_s: number; readonly before_s: number }

const within = (node: TopicNode): Border[] =>
  node.children.flatMap((child, i) => [
    ...(i > 0 ? [{ at_s: child.start_s, before_s: node.children[i - 1]!.end_s }] : []),
    ...within(child),
  ])

/** All borders of a tree in order, of whatever level, without its own start and end. Seconds. */
export const bordersOf = (root: TopicNode): number[] =>
  [...new Set(within(root).map((b) => b.at_s))].filter((t) => t > root.start_s && t < root.end_s).sort((a, b) => a - b)

/**
 * Which border each edit is about: pairs one to one, nearest first, by where the border was; an edit that finds none
 * there takes the one that a later run has put near where people want it. @returns edit → border in seconds
 */
const matched = (borders: readonly number[], edits: readonly BorderEdit[]): Map<BorderEdit, number> => {
  const pairs = edits.flatMap((edit) =>
    borders.flatMap((at) => [
      { edit, at, by: 0, off: Math.abs(at - edit.from_s) },
      { edit, at, by: 1, off: Math.abs(at - edit.to_s) },
    ]),
  )
  const near = pairs.filter((p) => p.off <= SAME_BORDER_S)
  near.sort((a, b) => a.by - b.by || a.off - b.off || b.edit.edited_at - a.edit.edited_at)
  const found = new Map<BorderEdit, number>()
  const taken = new Set<number>()
  for (const { edit, at } of near) {
    if (found.has(edit) || taken.has(at)) continue
    found.set(edit, at)
    taken.add(at)
  }
  return found
}

export type Moves = {
  /** Border as the run has it → edit and place; only those that are shown. */
  readonly shown: ReadonlyMap<number, BorderEdit>
  /** Edit → why it is not shown. */
  readonly idle: ReadonlyMap<BorderEdit, "gone" | "crowded">
}

/**
 * The borders that people moved. Order is kept: where two would cross, the one that was moved earlier stays as the run
 * has it.
 */
export const movesOf = (root: TopicNode, edits: readonly BorderEdit[]): Moves => {
  const borders = bordersOf(root)
  const found = matched(borders, edits)
  const shown = new Map([...found].map(([edit, at]) => [at, edit]))
  const idle = new Map<BorderEdit, "gone" | "crowded">(edits.filter((e) => !found.has(e)).map((e) => [e, "gone"]))
  const placeOf = (at: number | undefined, end: number) => (at === undefined ? end : (shown.get(at)?.to_s ?? at))
  const crossed = (): BorderEdit | undefined => {
    for (let i = 0; i <= borders.length; i++) {
      if (placeOf(borders[i - 1], root.start_s) < placeOf(borders[i], root.end_s)) continue
      const beside = [borders[i - 1], borders[i]].flatMap((at) => (at === undefined ? [] : (shown.get(at) ?? [])))
      if (beside.length > 0) return beside.reduce((a, b) => (b.edited_at < a.edited_at ? b : a))
    }
    return undefined
  }
  for (let edit = crossed(); edit; edit = crossed()) {
    idle.set(edit, "crowded")
    shown.delete(found.get(edit)!)
  }
  return { shown, idle }
}

/** Start or end of a topic as the run has it → where it is shown. Times that are no border stay. */
export const placing = (root: TopicNode, { shown }: Moves): ((t: number) => number) => {
  const places = new Map([...shown].map(([at, edit]) => [at, edit.to_s]))
  for (const { at_s, before_s } of within(root)) {
    const to = places.get(at_s)
    if (to !== undefined) places.set(before_s, to)
  }
  return (t) => places.get(t) ?? t
}
