import { formatClock } from "../text/format-clock.ts"
import type { StoredStructureEdit, StoredTopicEdit, TopicText } from "./topic-edits.ts"
import type { TopicNode, TopicOriginal, TopicTree } from "./topic-tree.ts"

/** A structure edit refers to a boundary of another topic run at most this far away. */
const MAX_BOUNDARY_SHIFT_S = 30

/** A time at which a topic (level 2) or a subtopic (level 3) of a run begins, with the texts of what begins there. */
type RunBoundary = {
  readonly time_s: number
  readonly level: 2 | 3
  topic?: TopicText | undefined
  subtopic?: TopicText | undefined
}

/** A time at which a topic or a subtopic begins, structure edits applied. */
type StructureBoundary = {
  readonly at_s: number
  readonly level: 2 | 3
  readonly topic: TopicText | undefined
  readonly subtopic: TopicText | undefined
  readonly run: RunBoundary | undefined
  readonly edit: StoredStructureEdit | undefined
}

const textOf = ({ title, summary }: TopicNode): TopicText => ({ title, summary })

/** Lists the boundaries of a run in order. The first one is the start of the recording. */
const listRunBoundaries = (root: TopicNode): readonly [RunBoundary, ...RunBoundary[]] => {
  const start: RunBoundary = { time_s: root.start_s, level: 2 }
  const byTime = new Map<number, RunBoundary>([[root.start_s, start]])
  const add = (time_s: number, level: 2 | 3): RunBoundary | undefined => {
    if (time_s <= root.start_s || time_s >= root.end_s) return undefined
    const boundary = byTime.get(time_s) ?? { time_s, level }
    byTime.set(time_s, boundary)
    return boundary
  }
  root.children.forEach((topic, i) => {
    const boundary = i === 0 ? start : add(topic.start_s, 2)
    if (boundary) boundary.topic ??= textOf(topic)
    topic.children.forEach((subtopic, j) => {
      const inner = j === 0 ? boundary : add(subtopic.start_s, 3)
      if (inner) inner.subtopic ??= textOf(subtopic)
    })
  })
  const [, ...others] = byTime.values()
  return [start, ...others.sort((a, b) => a.time_s - b.time_s)]
}

/**
 * Assigns structure edits to boundaries of a run one to one, the nearest first. A boundary that is nearer to one that was
 * beside the edited boundary when the edit was made is not the edited one.
 */
const assignEdits = (
  boundaries: readonly RunBoundary[],
  edits: readonly StoredStructureEdit[],
): ReadonlyMap<StoredStructureEdit, RunBoundary> => {
  const candidates = edits
    .flatMap((edit) =>
      boundaries.flatMap((boundary) => {
        const distance_s = Math.abs(boundary.time_s - edit.from_s)
        const isNearest =
          distance_s < Math.abs(boundary.time_s - edit.after_s) &&
          distance_s < Math.abs(boundary.time_s - edit.before_s)
        return distance_s === 0 || (isNearest && distance_s <= MAX_BOUNDARY_SHIFT_S)
          ? [{ edit, boundary, distance_s }]
          : []
      }),
    )
    .sort((a, b) => a.distance_s - b.distance_s || b.edit.edited_at - a.edit.edited_at)
  const assigned = new Map<StoredStructureEdit, RunBoundary>()
  const taken = new Set<RunBoundary>()
  for (const { edit, boundary } of candidates) {
    if (assigned.has(edit) || taken.has(boundary)) continue
    assigned.set(edit, boundary)
    taken.add(boundary)
  }
  return assigned
}

/** Returns true for an edit of which topics there are. */
export const isStructureEdit = (edit: StoredTopicEdit): edit is StoredStructureEdit => edit.kind === "structure"

/** Identifies a topic by its level and the boundary at which it begins, in every tree of a clip. */
export type TopicKey = string

/** The tree of a run with the structure edits of its clip applied. */
export type StructuredTree = {
  readonly tree: TopicTree
  /** What begins where. The first boundary is the start of the recording. */
  readonly boundaries: readonly StructureBoundary[]
  readonly keys: ReadonlyMap<TopicNode, TopicKey>
  /** Times at which structure edits placed a boundary. Neither a run nor a moved boundary changes them. */
  readonly pinned: ReadonlySet<number>
  /** The topics that structure edits concern, with the values of the run that they replace. */
  readonly edited: ReadonlyMap<TopicNode, TopicOriginal>
  /** The boundary of the run that an edit refers to, if the run has it. */
  readonly assigned: ReadonlyMap<StoredStructureEdit, RunBoundary>
}

const placeBoundaries = (root: TopicNode, edits: readonly StoredStructureEdit[]) => {
  const [start, ...ofRun] = listRunBoundaries(root)
  const assigned = assignEdits(
    ofRun,
    edits.filter(({ level }) => level !== 1),
  )
  const replaced = new Set(assigned.values())
  const first = edits.filter(({ level }) => level === 1).sort((a, b) => b.edited_at - a.edited_at)[0]
  const byTime = new Map<number, StructureBoundary>()
  for (const run of ofRun)
    if (!replaced.has(run))
      byTime.set(run.time_s, {
        ...run,
        at_s: run.time_s,
        topic: run.topic,
        subtopic: run.subtopic,
        run,
        edit: undefined,
      })
  for (const edit of edits) {
    const { level, at_s, labels } = edit
    if (level === null || level === 1 || at_s <= root.start_s || at_s >= root.end_s) continue
    const run = assigned.get(edit)
    byTime.set(at_s, {
      at_s,
      level,
      topic: labels.topic ?? run?.topic,
      subtopic: labels.subtopic ?? run?.subtopic,
      run,
      edit,
    })
  }
  const { topic, subtopic } = { ...start, ...first?.labels }
  const beginning: StructureBoundary = { at_s: root.start_s, level: 2, topic, subtopic, run: start, edit: first }
  return { boundaries: [beginning, ...[...byTime.values()].sort((a, b) => a.at_s - b.at_s)], assigned }
}

const originalOf = (run: RunBoundary | undefined, level: 2 | 3, node: TopicNode): TopicOriginal => {
  const text = level === 2 ? run?.topic : run?.subtopic
  return {
    ...(text && text.title !== node.title && { title: text.title }),
    ...(text && text.summary !== node.summary && { summary: text.summary }),
    ...(run && run.time_s !== node.start_s && { start_s: run.time_s }),
  }
}

/** Applies the structure edits of a clip to the tree of a run. The topics of the result always cover the recording. */
export const applyStructure = (tree: TopicTree, allEdits: readonly StoredTopicEdit[]): StructuredTree => {
  const edits = allEdits.filter(isStructureEdit)
  const [root] = tree.topics
  if (!root || root.end_s <= root.start_s)
    return { tree, boundaries: [], keys: new Map(), pinned: new Set(), edited: new Map(), assigned: new Map() }
  const { boundaries, assigned } = placeBoundaries(root, edits)
  const keys = new Map<TopicNode, TopicKey>()
  const edited = new Map<TopicNode, TopicOriginal>()
  const create = (boundary: StructureBoundary, level: 2 | 3, text: TopicText, end_s: number, children: TopicNode[]) => {
    const node: TopicNode = { ...text, start_s: boundary.at_s, end_s, children }
    keys.set(node, `${level}@${boundary === boundaries[0] ? "start" : (boundary.edit?.from_s ?? boundary.at_s)}`)
    const isOwnLevel = boundary.edit !== undefined && (boundary.edit.level === 3 ? 3 : 2) === level
    const original = boundary.edit ? originalOf(boundary.run, level, node) : {}
    if (isOwnLevel || Object.keys(original).length > 0) edited.set(node, original)
    return node
  }
  const fallback = ({ at_s }: StructureBoundary): TopicText =>
    at_s === root.start_s ? textOf(root) : { title: `Topic at ${formatClock(at_s)}`, summary: "" }
  const topicStarts = boundaries.flatMap((boundary, i) => (boundary.level === 2 ? [i] : []))
  const children = topicStarts.map((from, i) => {
    const to = topicStarts[i + 1] ?? boundaries.length
    const [own, ...inner] = boundaries.slice(from, to) as [StructureBoundary, ...StructureBoundary[]]
    const end_s = boundaries[to]?.at_s ?? root.end_s
    const text = own.topic ?? own.subtopic ?? fallback(own)
    const subtopics = [own, ...inner].map((boundary, j) => {
      const subtext = boundary.subtopic ?? (j === 0 ? text : (boundary.topic ?? fallback(boundary)))
      return create(boundary, 3, subtext, inner[j]?.at_s ?? end_s, [])
    })
    return create(own, 2, text, end_s, inner.length > 0 ? subtopics : [])
  })
  const hasTopics = boundaries.length > 1 || root.children.length > 0
  const structured = edits.length === 0 ? tree : { ...tree, topics: [{ ...root, children: hasTopics ? children : [] }] }
  if (edits.length === 0) markRunTopics(root, keys)
  for (const edit of edits)
    if (edit.level === null && assigned.has(edit))
      for (const topic of children)
        for (const node of [topic, ...topic.children])
          if (node.start_s < edit.at_s && edit.at_s < node.end_s && !edited.has(node)) edited.set(node, {})
  const pinned = new Set(boundaries.slice(1).flatMap(({ edit, at_s }) => (edit ? [at_s] : [])))
  return { tree: structured, boundaries, keys, pinned, edited: edits.length === 0 ? new Map() : edited, assigned }
}

/** Sets the keys of the topics of an unedited tree, which stays as it is. */
const markRunTopics = (root: TopicNode, keys: Map<TopicNode, TopicKey>): void => {
  root.children.forEach((topic, i) => {
    const from = i === 0 ? "start" : topic.start_s
    keys.set(topic, `2@${from}`)
    for (const [j, subtopic] of topic.children.entries()) keys.set(subtopic, `3@${j === 0 ? from : subtopic.start_s}`)
  })
}
