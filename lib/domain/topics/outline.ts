import { applyTopicEdits, findEditedTopic, listTopics } from "./apply-topic-edits.ts"
import { matchBoundaryEdits } from "./boundaries.ts"
import { applyStructure, isStructureEdit, type TopicKey } from "./structure.ts"
import type {
  StoredBoundaryEdit,
  StoredStructureEdit,
  StoredTextEdit,
  StoredTopicEdit,
  TopicText,
} from "./topic-edits.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

/** A time at which a topic or a subtopic begins, as the page shows it. Operations change it. */
export type OutlineEntry = {
  at_s: number
  /** 3 for a subtopic. */
  level: 2 | 3
  /** The texts of the topic and of the subtopic that begin. Both exist where a topic with subtopics begins. */
  topic: TopicText | undefined
  subtopic: TopicText | undefined
  /** What an operation has changed: its place alone, or also its level or texts. */
  changed?: "place" | "all"
  readonly isStart: boolean
  readonly from_s: number
  readonly edit: StoredStructureEdit | undefined
  /** The boundary of the latest run, if it has it, in seconds. */
  readonly run_s: number | undefined
}

/** The topics of a clip as a list of the times at which they begin, with edits applied. */
export type Outline = {
  readonly root: TopicNode
  /** In order of time. The first one is the start of the recording. */
  entries: OutlineEntry[]
}

const isTextEdit = (edit: StoredTopicEdit): edit is StoredTextEdit => edit.kind === "text"
const isBoundaryEdit = (edit: StoredTopicEdit): edit is StoredBoundaryEdit => edit.kind === "border"

/** Replaces the moves of boundaries that take effect by structure edits, which operations can change. */
const convertBoundaryEdits = (tree: TopicTree, edits: readonly StoredTopicEdit[]): StoredTopicEdit[] => {
  const { tree: structured, boundaries, pinned } = applyStructure(tree, edits)
  const [root] = structured.topics
  if (!root) return [...edits]
  const { applied } = matchBoundaryEdits(root, edits.filter(isBoundaryEdit), pinned)
  const moved = new Map([...applied].map(([time_s, edit]) => [edit, time_s]))
  return edits.map((edit): StoredTopicEdit => {
    const from_s = isBoundaryEdit(edit) ? moved.get(edit) : undefined
    const i = boundaries.findIndex(({ at_s }) => at_s === from_s)
    if (!isBoundaryEdit(edit) || i < 1) return edit
    const after_s = boundaries[i - 1]!.at_s
    const before_s = boundaries[i + 1]?.at_s ?? root.end_s
    const { level, at_s } = boundaries[i]!
    const { id, to_s, edited_at } = edit
    return { kind: "structure", id, from_s: at_s, after_s, before_s, at_s: to_s, level, labels: {}, edited_at }
  })
}

const textOf = (node: TopicNode | undefined): TopicText | undefined =>
  node && { title: node.title, summary: node.summary }

/** Reads the outline of a tree whose moved boundaries have been converted. Returns null if nothing is said in it. */
const readOutline = (tree: TopicTree, edits: readonly StoredTopicEdit[]): Outline | null => {
  const { boundaries } = applyStructure(tree, edits)
  const [root] = applyTopicEdits(tree, edits).tree.topics
  if (!root || boundaries.length === 0) return null
  const topics = new Map(root.children.map((topic) => [topic.start_s, topic]))
  const subtopics = new Map(root.children.flatMap(({ children }) => children.map((child) => [child.start_s, child])))
  const entries = boundaries.map(({ at_s, level, edit, run }, i): OutlineEntry => {
    const isStart = i === 0
    const [topic, subtopic] = [textOf(topics.get(at_s)), textOf(subtopics.get(at_s))]
    return { at_s, level, topic, subtopic, isStart, from_s: edit?.from_s ?? at_s, edit, run_s: run?.time_s }
  })
  return { root, entries }
}

/** Stores a changed outline as structure edits. */
const writeOutline = (
  { root, entries }: Outline,
  before: readonly OutlineEntry[],
  edits: readonly StoredTopicEdit[],
  { now, newId }: EditClock,
): StoredTopicEdit[] => {
  const runTimes = before.flatMap(({ run_s }) => run_s ?? [])
  const anchors = [...runTimes, ...edits.filter(isStructureEdit).map((e) => e.from_s), ...entries.map((e) => e.from_s)]
  const neighborsOf = (from_s: number) => ({
    after_s: anchors.reduce((best, time) => (time < from_s && time > best ? time : best), root.start_s),
    before_s: anchors.reduce((best, time) => (time > from_s && time < best ? time : best), root.end_s),
  })
  const changed = entries.filter((entry) => entry.changed)
  const removed = before.filter((entry) => !entries.includes(entry))
  const written = changed.flatMap((entry): StoredStructureEdit[] => {
    const { edit, from_s, at_s, isStart, topic, subtopic } = entry
    const level = isStart ? 1 : entry.level
    const texts = {
      ...(entry.level === 2 && topic && { topic }),
      ...(subtopic && { subtopic }),
    }
    const labels = entry.changed === "all" ? texts : (edit?.labels ?? {})
    const { after_s, before_s } = edit ?? neighborsOf(from_s)
    return [
      { kind: "structure", id: edit?.id ?? newId(), from_s, after_s, before_s, at_s, level, labels, edited_at: now },
    ]
  })
  // A boundary that the latest run lacks needs no edit that removes it.
  const removals = removed.flatMap(({ edit, run_s, from_s }): StoredStructureEdit[] =>
    run_s === undefined
      ? []
      : [
          {
            ...neighborsOf(from_s),
            ...(edit && { after_s: edit.after_s, before_s: edit.before_s }),
            kind: "structure",
            id: edit?.id ?? newId(),
            from_s,
            at_s: from_s,
            level: null,
            labels: {},
            edited_at: now,
          },
        ],
  )
  const replaced = new Set<StoredTopicEdit | undefined>([...changed, ...removed].map(({ edit }) => edit))
  const isAddedAgain = (edit: StoredTopicEdit) =>
    isStructureEdit(edit) && edit.level === null && changed.some((entry) => entry.from_s === edit.from_s)
  return [...edits.filter((edit) => !replaced.has(edit) && !isAddedAgain(edit)), ...written, ...removals]
}

export type EditClock = {
  /** Unix time in milliseconds. */
  readonly now: number
  readonly newId: () => string
}

/** Finds the topic of each text edit that takes effect. */
const findTextTargets = (tree: TopicTree, edits: readonly StoredTopicEdit[]): Map<string, TopicKey> => {
  const { tree: structured, pinned, keys } = applyStructure(tree, edits)
  const topics = listTopics(structured)
  return new Map(
    edits.filter(isTextEdit).flatMap((edit) => {
      const topic = findEditedTopic(topics, edit, pinned)
      const key = topic && keys.get(topic.node)
      return key === undefined ? [] : [[edit.id, key] as const]
    }),
  )
}

/**
 * Changes edits so that titles and summaries stay with their topics. Text edits of topics that no longer exist are kept or
 * dropped, as `onMissing` says.
 */
export const keepTextsInPlace = (
  tree: TopicTree,
  edits: readonly StoredTopicEdit[],
  onMissing: "keep" | "drop",
  change: (edits: readonly StoredTopicEdit[]) => readonly StoredTopicEdit[],
): StoredTopicEdit[] => {
  const targets = findTextTargets(tree, edits)
  const changed = change(edits)
  const { keys } = applyStructure(tree, changed)
  const spans = new Map([...keys].map(([node, key]) => [key, node]))
  return changed.flatMap((edit): StoredTopicEdit[] => {
    const key = isTextEdit(edit) ? targets.get(edit.id) : undefined
    if (!isTextEdit(edit) || key === undefined) return [edit]
    const node = spans.get(key)
    if (node) return [{ ...edit, start_s: node.start_s, end_s: node.end_s }]
    return onMissing === "keep" ? [edit] : []
  })
}

/**
 * Changes the outline of a clip and returns its edits with the change. Returns null for a recording without speech.
 * @param change changes the entries and marks those that it changes
 */
export const changeOutline = (
  tree: TopicTree,
  edits: readonly StoredTopicEdit[],
  clock: EditClock,
  change: (outline: Outline) => void,
): StoredTopicEdit[] | null => {
  const converted = keepTextsInPlace(tree, edits, "keep", (all) => convertBoundaryEdits(tree, all))
  const outline = readOutline(tree, converted)
  if (!outline) return null
  const before = [...outline.entries]
  change(outline)
  return keepTextsInPlace(tree, converted, "drop", (all) => {
    // Changed entries contain the texts of their edits.
    const targets = findTextTargets(tree, all)
    const relabeled = new Set(
      outline.entries.flatMap(({ changed, isStart, from_s }) =>
        changed === "all" ? [2, 3].map((level) => `${level}@${isStart ? "start" : from_s}`) : [],
      ),
    )
    const others = all.filter((edit) => !relabeled.has(targets.get(edit.id) ?? ""))
    return writeOutline(outline, before, others, clock)
  })
}
