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
 * group too: a header would only say its title twice. In groups that are recordings,
 * and in subjects that lie in one, topics come at once.
 */
export type Row =
  | (Folder & { readonly kind: "group" })
  | (Folder & { readonly kind: "clip"; readonly clip: number })
  | (Placed & { readonly kind: "topic"; readonly index: number })

/** The part of a recording that lies in a group. */
type Branch = { readonly clip: number; readonly topics: readonly number[]; readonly key: string }
export type Tree = readonly {
  readonly group: Group
  /** Outlives this map, as those of the recordings do: folds are kept by it. */
  readonly key: string
  readonly topics: readonly number[]
  /** The largest first; null: the group is a recording itself, or lies in one. */
  readonly clips: readonly Branch[] | null
  /** A subject of a single topic. */
  readonly alone: boolean
}[]

const byNumber = new Intl.Collator("en", { numeric: true })

/** The same for the same topics on another map, where numbers of groups and recordings may be others. */
const groupKey = (model: MapModel, colouring: Colouring, topics: readonly number[]): string => {
  let first: string | null = null
  for (const i of topics) {
    const { clip_id, number } = model.points[i]!
    const own = `${clip_id}~${number}`
    if (first === null || own < first) first = own
  }
  return `${colouring} ${first}`
}
const clipKey = (group: string, topics: readonly number[], model: MapModel): string =>
  `${group}/${model.points[topics[0]!]!.clip_id}`

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
    const key = groupKey(model, colouring, topics)
    const single = colouring === "clip" || (colouring === "cluster" && group.clips === 1)
    const clips = single ? null : branches(topics, clip).map((b) => ({ ...b, key: clipKey(key, b.topics, model) }))
    return { group, key, topics, clips, alone }
  })
}

const branches = (topics: readonly number[], clip: Uint32Array): Omit<Branch, "key">[] => {
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
  tree.flatMap(({ key, clips, alone }) => (alone ? [] : [key, ...(clips ?? []).map((branch) => branch.key)]))

/** The folders that a topic lies in. */
export const foldersAbove = (tree: Tree, index: number): string[] => {
  const own = tree.find(({ topics }) => topics.includes(index))
  const branch = own?.clips?.find(({ topics }) => topics.includes(index))
  return own ? [own.key, ...(branch ? [branch.key] : [])] : []
}

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
  tree.flatMap(({ group, key, topics, clips, alone }, g): Row[] => {
    const place = { group, level: 1, position: g + 1, of: tree.length }
    if (alone) return [{ ...place, kind: "topic", index: group.anchor, key: `t${group.anchor}` }]
    const open = !closed.has(key)
    const head: Row = { ...place, kind: "group", open, topics, key }
    if (!open) return [head]
    if (!clips) return [head, ...leaves(group, topics, 2)]
    const inside = clips.flatMap((branch, i): Row[] => {
      const open = !closed.has(branch.key)
      const row: Row = { kind: "clip", ...branch, group, level: 2, position: i + 1, of: clips.length, open }
      return open ? [row, ...leaves(group, branch.topics, 3)] : [row]
    })
    return [head, ...inside]
  })
