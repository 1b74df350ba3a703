import { formatClock } from "../text/format-clock.ts"
import { type BoundaryMoves, createTimeMapper, matchBoundaryEdits } from "./boundaries.ts"
import { applyStructure, isStructureEdit, type StructuredTree } from "./structure.ts"
import type {
  StoredBoundaryEdit,
  StoredStructureEdit,
  StoredTextEdit,
  StoredTopicEdit,
  TopicEdit,
} from "./topic-edits.ts"
import type { TopicNode, TopicOriginal, TopicTree } from "./topic-tree.ts"

/** Two topics are the same if they overlap by at least this share of the time that either covers. */
const MIN_OVERLAP = 0.5

export type LocatedTopic = { readonly node: TopicNode; readonly level: number; readonly number: string }

/** Lists the topics of a tree with their level (1 = L0) and number, each before its children. */
export const listTopics = (tree: TopicTree): LocatedTopic[] => {
  const walk = (node: TopicNode, level: number, number: string): LocatedTopic[] => [
    { node, level, number },
    ...node.children.flatMap((child, i) => walk(child, level + 1, `${number}.${i + 1}`)),
  ]
  return tree.topics.flatMap((root, i) => walk(root, 1, `${i + 1}`))
}

type TimeSpan = { readonly start_s: number; readonly end_s: number }

const computeOverlap = (a: TimeSpan, b: TimeSpan): number => {
  const shared_s = Math.min(a.end_s, b.end_s) - Math.max(a.start_s, b.start_s)
  const covered_s = Math.max(a.end_s, b.end_s) - Math.min(a.start_s, b.start_s)
  return covered_s > 0 ? shared_s / covered_s : 1
}

/**
 * Finds the topic of a level that covers a span of time. The topic of level 1 always matches, because it is the whole
 * recording. Returns undefined if no topic overlaps the span enough.
 */
export const findSameTopic = (
  topics: readonly LocatedTopic[],
  level: number,
  span: TimeSpan,
): LocatedTopic | undefined => {
  const candidates = topics.filter((topic) => topic.level === level)
  if (level === 1) return candidates[0]
  const best = candidates.toSorted((a, b) => computeOverlap(b.node, span) - computeOverlap(a.node, span))[0]
  return best && computeOverlap(best.node, span) >= MIN_OVERLAP ? best : undefined
}

/**
 * Finds the topic that a title or summary edit applies to. A topic that begins at a pinned time is known by its start.
 */
export const findEditedTopic = (
  topics: readonly LocatedTopic[],
  edit: StoredTextEdit,
  pinned: ReadonlySet<number>,
): LocatedTopic | undefined =>
  (pinned.has(edit.start_s)
    ? topics.find(({ node, level }) => level === edit.level && node.start_s === edit.start_s)
    : undefined) ?? findSameTopic(topics, edit.level, edit)

const TEXT_FIELDS = ["title", "summary"] as const
type Texts = { -readonly [F in (typeof TEXT_FIELDS)[number]]?: string }
type Effect = { readonly topic: string | null; readonly detail?: string }

/** Resolves title and summary edits. For each field of a topic the newest edit wins. */
const resolveTextEdits = (
  topics: readonly LocatedTopic[],
  edits: readonly StoredTextEdit[],
  pinned: ReadonlySet<number>,
) => {
  const texts = new Map<TopicNode, Texts>()
  const effects = new Map<StoredTextEdit, Effect>()
  for (const edit of edits.toSorted((a, b) => b.edited_at - a.edited_at)) {
    const span = `from ${formatClock(edit.start_s)} to ${formatClock(edit.end_s)}`
    const topic = findEditedTopic(topics, edit, pinned)
    if (!topic) {
      const detail = `The latest topics include none ${span}, so an edit of that topic is not shown.`
      effects.set(edit, { topic: null, detail })
      continue
    }
    const edited = texts.get(topic.node) ?? {}
    const fields = TEXT_FIELDS.filter((field) => edit[field] !== null && edited[field] === undefined)
    if (fields.length === 0) {
      effects.set(edit, { topic: null, detail: `A newer edit replaces an edit of the topic ${span}.` })
      continue
    }
    for (const field of fields) edited[field] = edit[field]!
    texts.set(topic.node, edited)
    effects.set(edit, { topic: topic.number })
  }
  return { texts, effects }
}

const REJECTION_DETAILS = {
  unmatched: (edit: StoredBoundaryEdit) =>
    `The latest topics have no boundary near ${formatClock(edit.from_s)}, so its move to ${formatClock(edit.to_s)} is not shown.`,
  crossing: (edit: StoredBoundaryEdit) =>
    `The boundary moved to ${formatClock(edit.to_s)} would cross another boundary, so it stays at ${formatClock(edit.from_s)}.`,
}

/** Returns the original values of the changed fields, or undefined if nothing has changed. */
const findChanges = (node: TopicNode, edited: Omit<TopicNode, "children">): TopicOriginal | undefined => {
  const original: TopicOriginal = {}
  if (edited.title !== node.title) original.title = node.title
  if (edited.summary !== node.summary) original.summary = node.summary
  if (edited.start_s !== node.start_s) original.start_s = node.start_s
  if (edited.end_s !== node.end_s) original.end_s = node.end_s
  return Object.keys(original).length > 0 ? original : undefined
}

/** Returns the effect of a structure edit on the current topics. */
const describeStructureEdit = (
  edit: StoredStructureEdit,
  root: TopicNode | undefined,
  topics: readonly LocatedTopic[],
): Effect => {
  const { at_s, level } = edit
  const isWithin = root && root.end_s > root.start_s && (level === 1 || (at_s > root.start_s && at_s < root.end_s))
  if (!isWithin)
    return {
      topic: null,
      detail: `The recording has no speech at ${formatClock(at_s)} now, so a change of its topics there is not shown.`,
    }
  const covering = topics.filter(({ node }) => node.start_s <= at_s && at_s < node.end_s)
  const topic = level === 1 ? topics.find((t) => t.level === 2) : covering.find((t) => t.level === level)
  return { topic: (topic ?? covering.at(-1) ?? topics[0])!.number }
}

/**
 * Applies the stored edits to the tree of a run. Edits that match no topic or boundary of this run change nothing and are
 * reported in `notes`. They take effect again with a run that they match.
 */
export const applyTopicEdits = (
  tree: TopicTree,
  edits: readonly StoredTopicEdit[],
): { tree: TopicTree; edits: TopicEdit[] } => showEdits(applyStructure(tree, edits), edits)

/** Applies text and boundary edits to a tree with its structure edits applied. */
export const showEdits = (
  { tree, pinned, edited: structural }: StructuredTree,
  edits: readonly StoredTopicEdit[],
): { tree: TopicTree; edits: TopicEdit[] } => {
  const [root] = tree.topics
  const topics = listTopics(tree)
  const { texts, effects } = resolveTextEdits(
    topics,
    edits.filter((edit) => edit.kind === "text"),
    pinned,
  )
  const boundaryEdits = edits.filter((edit) => edit.kind === "border")
  const moves: BoundaryMoves = root
    ? matchBoundaryEdits(root, boundaryEdits, pinned)
    : { applied: new Map(), rejected: new Map(boundaryEdits.map((edit) => [edit, "unmatched"])) }
  const mapTime = root ? createTimeMapper(root, moves) : (time_s: number) => time_s
  const applyTo = (node: TopicNode): TopicNode => {
    // The tree may have been read with edits applied and saved again, so it may already have these fields.
    const { children, edited: _, original: __, ...own } = node
    const edited = { ...own, ...texts.get(node), start_s: mapTime(node.start_s), end_s: mapTime(node.end_s) }
    const structure = structural.get(node)
    const original = { ...findChanges(node, edited), ...structure }
    return {
      ...edited,
      ...((structure || Object.keys(original).length > 0) && { edited: true as const, original }),
      children: children.map(applyTo),
    }
  }
  const boundaryTopics = new Map(
    [...moves.applied].map(([at_s, edit]) => [edit, topics.find((t) => t.node.start_s === at_s)?.number ?? null]),
  )
  const reported = edits.map((edit): TopicEdit => {
    const edited_at = new Date(edit.edited_at).toISOString()
    if (edit.kind === "text") return { ...edit, edited_at, ...effects.get(edit)! }
    if (isStructureEdit(edit)) {
      const { after_s: _, before_s: __, labels, ...shown } = edit
      const text = edit.level === 3 ? labels.subtopic : labels.topic
      const effect = describeStructureEdit(edit, root, topics)
      return { ...shown, title: text?.title ?? null, summary: text?.summary ?? null, edited_at, ...effect }
    }
    const rejection = moves.rejected.get(edit)
    return {
      ...edit,
      edited_at,
      topic: boundaryTopics.get(edit) ?? null,
      ...(rejection && { detail: REJECTION_DETAILS[rejection](edit) }),
    }
  })
  const notes = [...(tree.notes ?? []), ...reported.flatMap((edit) => edit.detail ?? [])]
  return { tree: { ...tree, topics: tree.topics.map(applyTo), ...(notes.length > 0 && { notes }) }, edits: reported }
}
