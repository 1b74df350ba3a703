import type { Colouring, Group, MapModel } from "./model.ts"

type Placed = {
  readonly group: Group
  /** 1 for what stands leftmost. */
  readonly level: number
  /** Counts from 1 within its siblings, of which there are `of`. */
  readonly position: number
  readonly of: number
  /** Names the row among all rows of the list, folded or not. */
  readonly key: string
}
type Folder = Placed & {
  readonly open: boolean
  /** Every topic below it. */
  readonly topics: readonly number[]
}
/**
 * A line of the list: a group, a recording in it, or a topic. A topic that is alone in its subject (level 1) stands for the
 * group too: a header would only say its title twice. In groups that are recordings topics come at once.
 */
export type Row =
  | (Folder & { readonly kind: "group" })
  | (Folder & { readonly kind: "clip"; readonly clip: number })
  | (Placed & { readonly kind: "topic"; readonly index: number })

/** The part of a recording that lies in a group. */
type Branch = { readonly clip: number; readonly topics: readonly number[] }
export type Tree = readonly {
  readonly group: Group
  readonly topics: readonly number[]
  /** The largest first; null: the group is a recording itself, or `alone`. */
  readonly clips: readonly Branch[] | null
  /** A subject of a single topic. */
  readonly alone: boolean
}[]

const byNumber = new Intl.Collator("en", { numeric: true })

export const groupKey = (group: number): string => `g${group}`
export const clipKey = (group: number, clip: number): string => `g${group}/${clip}`

/** Everything on the map, nothing folded: groups by size, in each its recordings by size, in each topics by number. */
export const treeOf = (model: MapModel, colouring: Colouring): Tree => {
  const { clip } = model.groupOf
  const order = [...model.points.keys()].sort(
    (a, b) => clip[a]! - clip[b]! || byNumber.compare(model.points[a]!.number, model.points[b]!.number),
  )
  const members = new Map<number, number[]>()
  for (const i of order) {
    const id = model.groupOf[colouring][i]!
    const list = members.get(id)
    if (list) list.push(i)
    else members.set(id, [i])
  }
  return model.groups[colouring].map((group) => {
    const topics = members.get(group.id)!
    const alone = colouring === "cluster" && group.size === 1
    return { group, topics, clips: alone || colouring === "clip" ? null : branches(topics, clip), alone }
  })
}

const branches = (topics: readonly number[], clip: Uint32Array): Branch[] => {
  const out: { clip: number; topics: number[] }[] = []
  for (const i of topics) {
    const last = out.at(-1)
    if (last && last.clip === clip[i]) last.topics.push(i)
    else out.push({ clip: clip[i]!, topics: [i] })
  }
  return out.sort((a, b) => b.topics.length - a.topics.length)
}

const leaves = (group: Group, topics: readonly number[], level: number): Row[] =>
  topics.map((index, i) => ({
    kind: "topic",
    index,
    group,
    level,
    position: i + 1,
    of: topics.length,
    key: `t${index}`,
  }))

/** Every folder of the list. */
export const foldersOf = (tree: Tree): string[] =>
  tree.flatMap(({ group, clips, alone }) =>
    alone ? [] : [groupKey(group.id), ...(clips ?? []).map(({ clip }) => clipKey(group.id, clip))],
  )

/** Heights of lines in CSS pixels: what has a second line, and what has not; a finger needs more than a pointer. */
const TALL = { pointer: 46, finger: 52 } as const
const FLAT = { pointer: 34, finger: 44 } as const

/** Where each line begins, in CSS pixels, and at last where all end: [rows + 1]. */
export const topsOf = (rows: readonly Row[], colouring: Colouring, by: keyof typeof TALL): Uint32Array => {
  const tops = new Uint32Array(rows.length + 1)
  rows.forEach((row, i) => {
    tops[i + 1] = tops[i]! + (row.level === 1 && colouring !== "clip" ? TALL : FLAT)[by]
  })
  return tops
}

/** The lines in sight when the folders named by `closed` hide what is in them. */
export const rowsOf = (tree: Tree, closed: ReadonlySet<string>): Row[] =>
  tree.flatMap(({ group, topics, clips, alone }, g): Row[] => {
    const place = { group, level: 1, position: g + 1, of: tree.length }
    if (alone) return [{ ...place, kind: "topic", index: group.anchor, key: `t${group.anchor}` }]
    const key = groupKey(group.id)
    const open = !closed.has(key)
    const head: Row = { ...place, kind: "group", open, topics, key }
    if (!open) return [head]
    if (!clips) return [head, ...leaves(group, topics, 2)]
    const inside = clips.flatMap((branch, i): Row[] => {
      const key = clipKey(group.id, branch.clip)
      const open = !closed.has(key)
      const row: Row = { kind: "clip", ...branch, group, level: 2, position: i + 1, of: clips.length, open, key }
      return open ? [row, ...leaves(group, branch.topics, 3)] : [row]
    })
    return [head, ...inside]
  })
