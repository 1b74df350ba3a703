import type { Colouring, Group, MapModel } from "./model.ts"

/**
 * A line of the list: a group, or a topic under it. `position` counts from 1 within its siblings. A topic that is `alone`
 * in its subject stands for the group too: a header would only say its title twice.
 */
export type Row =
  | { readonly kind: "group"; readonly group: Group; readonly open: boolean; readonly position: number }
  | {
      readonly kind: "topic"
      readonly index: number
      readonly group: Group
      readonly position: number
      readonly alone: boolean
    }

const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true })

/** The list of everything on the map: groups by size, topics in each by recording and number. Closed groups hide theirs. */
export const rowsOf = (model: MapModel, colouring: Colouring, closed: ReadonlySet<number>): Row[] => {
  const members = new Map<number, number[]>()
  model.groupOf[colouring].forEach((g, i) => {
    const list = members.get(g)
    if (list) list.push(i)
    else members.set(g, [i])
  })
  const { clip } = model.groupOf
  return model.groups[colouring].flatMap((group, g): Row[] => {
    const position = g + 1
    if (colouring === "cluster" && group.size === 1)
      return [{ kind: "topic", index: group.anchor, group, position, alone: true }]
    const open = !closed.has(group.id)
    const head: Row = { kind: "group", group, open, position }
    if (!open) return [head]
    const inside = members.get(group.id)!.sort((a, b) => {
      const [p, q] = [model.points[a]!, model.points[b]!]
      return clip[a]! - clip[b]! || byNumber(p.number, q.number)
    })
    return [head, ...inside.map((index, i): Row => ({ kind: "topic", index, group, position: i + 1, alone: false }))]
  })
}
