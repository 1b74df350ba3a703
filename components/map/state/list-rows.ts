import type { Coloring } from "./coloring.ts"
import type { Group } from "./groups.ts"
import { type MapModel, topicKey } from "./model.ts"

type RowBase = {
  readonly group: Group
  /** Depth in the tree, from 1. */
  readonly level: number
  /** Position among the siblings, from 1. */
  readonly position: number
  readonly siblings: number
  /** Unique in the list, also among rows that are folded away. */
  readonly key: string
}
type Folder = RowBase & {
  readonly open: boolean
  /** All topics in the folder. */
  readonly topics: readonly number[]
}
/**
 * A row of the topic list. Groups contain recordings, which contain topics. Two cases are shorter: a cluster of one
 * topic is shown as that topic at level 1, and a group that is or lies in one recording contains its topics directly.
 */
export type Row =
  | (Folder & { readonly kind: "group" })
  | (Folder & { readonly kind: "clip"; readonly clip: number })
  | (RowBase & { readonly kind: "topic"; readonly index: number })

/** The topics of one recording in a group. */
type Branch = { readonly clip: number; readonly topics: readonly number[]; readonly key: string }
export type ListTree = readonly {
  readonly group: Group
  /** Stays the same when a new map numbers groups differently, so that folders stay folded. */
  readonly key: string
  readonly topics: readonly number[]
  /** Recordings by descending number of topics; null if the topics follow directly. */
  readonly clips: readonly Branch[] | null
  /** True for a cluster of one topic. */
  readonly isSingleTopic: boolean
}[]

const byNumber = new Intl.Collator("en", { numeric: true })

/** What the lists of all colorings share: the topics by recording and number, and the key of each point. */
type ListOrder = { readonly topics: readonly number[]; readonly keys: readonly string[] }

const orders = new WeakMap<MapModel, ListOrder>()

const sortTopics = (model: MapModel): ListOrder => {
  const clipIds = model.groupings.clip.ids
  const byClip = new Map<number, number[]>()
  clipIds.forEach((clip, i) => {
    const list = byClip.get(clip)
    if (list) list.push(i)
    else byClip.set(clip, [i])
  })
  const byTopicNumber = (a: number, b: number) => byNumber.compare(model.points[a]!.number, model.points[b]!.number)
  const clips = [...byClip.keys()].sort((a, b) => a - b)
  return {
    topics: clips.flatMap((clip) => byClip.get(clip)!.sort(byTopicNumber)),
    keys: Array.from(clipIds, (_, i) => topicKey(model, i)),
  }
}

/** Returns the order of a list. Cached, because people switch between colorings of the same map. */
const getOrder = (model: MapModel): ListOrder => {
  const order = orders.get(model) ?? sortTopics(model)
  orders.set(model, order)
  return order
}

const groupKey = (keys: readonly string[], coloring: Coloring, topics: readonly number[]): string => {
  let first = keys[topics[0]!]!
  for (const i of topics) if (keys[i]! < first) first = keys[i]!
  return `${coloring} ${first}`
}

/** Splits topics, which must be sorted by recording, into one branch per recording. */
const splitByClip = (topics: readonly number[], model: MapModel, parentKey: string): Branch[] => {
  const clipIds = model.groupings.clip.ids
  const out: { clip: number; topics: number[]; key: string }[] = []
  for (const i of topics) {
    const last = out.at(-1)
    if (last && last.clip === clipIds[i]) last.topics.push(i)
    else out.push({ clip: clipIds[i]!, topics: [i], key: `${parentKey}/${model.points[i]!.clip_id}` })
  }
  return out.sort((a, b) => b.topics.length - a.topics.length)
}

const trees = new WeakMap<MapModel, Map<Coloring, ListTree>>()

/** Returns the whole list: groups by size, their recordings by size, and topics by number. Cached. */
export const getListTree = (model: MapModel, coloring: Coloring): ListTree => {
  const known = trees.get(model) ?? new Map<Coloring, ListTree>()
  trees.set(model, known)
  const tree = known.get(coloring) ?? buildListTree(model, coloring)
  known.set(coloring, tree)
  return tree
}

const buildListTree = (model: MapModel, coloring: Coloring): ListTree => {
  const order = getOrder(model)
  const members = new Map<number, number[]>()
  for (const i of order.topics) {
    const id = model.groupings[coloring].ids[i]!
    const list = members.get(id)
    if (list) list.push(i)
    else members.set(id, [i])
  }
  return model.groupings[coloring].groups.map((group) => {
    const topics = members.get(group.id)!
    const key = groupKey(order.keys, coloring, topics)
    const isOneClip = coloring === "clip" || ((coloring === "cluster" || coloring === "region") && group.clips === 1)
    return {
      group,
      key,
      topics,
      clips: isOneClip ? null : splitByClip(topics, model, key),
      isSingleTopic: coloring === "cluster" && group.size === 1,
    }
  })
}

const cachedRows = new WeakMap<readonly number[], readonly Row[]>()

/** Returns the rows of the topics of a folder. Cached, because each change of a folder lists all rows again. */
const topicRows = (group: Group, topics: readonly number[], level: number): readonly Row[] => {
  const known = cachedRows.get(topics)
  if (known) return known
  const siblings = topics.length
  const rows = topics.map(
    (index, i): Row => ({ kind: "topic", index, group, level, position: i + 1, siblings, key: `t${index}` }),
  )
  cachedRows.set(topics, rows)
  return rows
}

/** Returns the keys of all folders. */
export const listFolderKeys = (tree: ListTree): string[] =>
  tree.flatMap(({ key, clips, isSingleTopic }) =>
    isSingleTopic ? [] : [key, ...(clips ?? []).map((branch) => branch.key)],
  )

/** Returns the keys of the folders that contain a topic. */
export const findFolderKeys = (tree: ListTree, index: number): string[] => {
  const parent = tree.find(({ topics }) => topics.includes(index))
  const branch = parent?.clips?.find(({ topics }) => topics.includes(index))
  return parent ? [parent.key, ...(branch ? [branch.key] : [])] : []
}

/** Row heights in CSS pixels, with two lines of text and with one. Touch needs larger targets than a pointer. */
const TWO_LINES_PX = { pointer: 46, touch: 52 } as const
const ONE_LINE_PX = { pointer: 34, touch: 44 } as const

/** Returns the top of each row and the bottom of the last one, in CSS pixels: [rows + 1]. */
export const computeRowOffsets = (
  rows: readonly Row[],
  coloring: Coloring,
  input: keyof typeof TWO_LINES_PX,
): Uint32Array => {
  const offsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i]! + (row.level === 1 && coloring !== "clip" ? TWO_LINES_PX : ONE_LINE_PX)[input]
  })
  return offsets
}

/** Returns the rows that are not inside a folder of `closed`. */
export const listVisibleRows = (tree: ListTree, closed: ReadonlySet<string>): Row[] =>
  tree.flatMap(({ group, key, topics, clips, isSingleTopic }, g): Row[] => {
    const base = { group, level: 1, position: g + 1, siblings: tree.length }
    if (isSingleTopic) return [{ ...base, kind: "topic", index: group.anchor, key: `t${group.anchor}` }]
    const open = !closed.has(key)
    const header: Row = { ...base, kind: "group", open, topics, key }
    if (!open) return [header]
    if (!clips) return [header, ...topicRows(group, topics, 2)]
    const content = clips.flatMap((branch, i): Row[] => {
      const open = !closed.has(branch.key)
      const row: Row = { kind: "clip", ...branch, group, level: 2, position: i + 1, siblings: clips.length, open }
      return open ? [row, ...topicRows(group, branch.topics, 3)] : [row]
    })
    return [header, ...content]
  })
