import { AppError } from "../errors.ts"
import type { WordSpan } from "../transcript/words.ts"
import { findEditedTopic, type LocatedTopic, listTopics } from "./apply-topic-edits.ts"
import { listBoundaries, matchBoundaryEdits } from "./boundaries.ts"
import type { StoredBoundaryEdit, StoredTextEdit, StoredTopicEdit, TopicPatch } from "./topic-edits.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

export type EditRequest = {
  /** The tree of the latest run, without edits. */
  readonly tree: TopicTree
  readonly edits: readonly StoredTopicEdit[]
  /** The number of the topic in the tree. */
  readonly topic: string
  readonly patch: TopicPatch
  /** The transcript, in order of start time. Needed only to move a boundary. */
  readonly words: readonly WordSpan[]
  /** Unix time in milliseconds. */
  readonly now: number
  readonly newId: () => string
}

/**
 * Adds an edit of one topic to the edits of a clip and returns the new list.
 * @throws AppError `not_found` for an unknown topic, `invalid` for a time at which the boundary cannot be
 */
export const addTopicEdit = (request: EditRequest): readonly StoredTopicEdit[] => {
  const { tree, topic, patch } = request
  const [root] = tree.topics
  const located = listTopics(tree).find(({ number }) => number === topic)
  if (!root || !located)
    throw new AppError("not_found", `unknown topic '${topic}': the clip has no topic of this number`)
  let edits = editText(request, located)
  for (const [field, boundary] of [
    ["start_s", located.node.start_s],
    ["end_s", findEndBoundary(root, located.node)],
  ] as const)
    if (patch[field] !== undefined) edits = moveBoundary({ ...request, edits }, root, boundary, patch[field], field)
  return edits
}

/** Sets title or summary. Each topic has at most one text edit, anchored to the span of the topic in the latest run. */
const editText = ({ tree, edits, patch, now, newId }: EditRequest, topic: LocatedTopic): readonly StoredTopicEdit[] => {
  if (patch.title === undefined && patch.summary === undefined) return edits
  const topics = listTopics(tree)
  const earlier = edits
    .filter((e): e is StoredTextEdit => e.kind === "text" && findEditedTopic(topics, e)?.node === topic.node)
    .sort((a, b) => b.edited_at - a.edited_at)
  const currentText = (field: "title" | "summary") => earlier.find((e) => e[field] !== null)?.[field] ?? null
  const title = patch.title === undefined ? currentText("title") : patch.title
  const summary = patch.summary === undefined ? currentText("summary") : patch.summary
  const { start_s, end_s } = topic.node
  const edit = { kind: "text", level: topic.level, start_s, end_s, title, summary, edited_at: now } as const
  const others = edits.filter((e) => e.kind !== "text" || !earlier.includes(e))
  return title === null && summary === null ? others : [...others, { ...edit, id: earlier[0]?.id ?? newId() }]
}

/** Finds the boundary at which a topic ends, which is the start of the next topic. */
const findEndBoundary = (root: TopicNode, node: TopicNode): number =>
  listBoundaries(root).find((time) => time >= node.end_s) ?? Number.POSITIVE_INFINITY

/** Moves a boundary to `requested_s`, or back to its original time if that is null. */
const moveBoundary = (
  request: Omit<EditRequest, "topic" | "patch">,
  root: TopicNode,
  boundary: number,
  requested_s: number | null,
  field: string,
): readonly StoredTopicEdit[] => {
  const { edits, words, now, newId } = request
  const boundaries = listBoundaries(root)
  const i = boundaries.indexOf(boundary)
  const { applied } = matchBoundaryEdits(
    root,
    edits.filter((e): e is StoredBoundaryEdit => e.kind === "border"),
  )
  const earlier = applied.get(boundary)
  const others = edits.filter((e) => e !== earlier)
  if (i < 0 && requested_s === null) return edits
  if (i < 0) throw new AppError("invalid", `${field} cannot be moved: the recording itself begins or ends there`)
  if (requested_s === null) return others
  const timeOf = (time: number | undefined, end_s: number) =>
    time === undefined ? end_s : (applied.get(time)?.to_s ?? time)
  const low_s = timeOf(boundaries[i - 1], root.start_s)
  const high_s = timeOf(boundaries[i + 1], root.end_s)
  const to_s = snapToWordStart(words, requested_s, { low_s, high_s, field })
  if (to_s === boundary) return others
  return [...others, { kind: "border", id: earlier?.id ?? newId(), from_s: boundary, to_s, edited_at: now }]
}

const formatSeconds = (seconds: number): string => String(Math.round(seconds * 100) / 100)

/** Returns the word start nearest to `requested_s` that leaves at least one word on either side of the boundary. */
const snapToWordStart = (
  words: readonly WordSpan[],
  requested_s: number,
  { low_s, high_s, field }: { readonly low_s: number; readonly high_s: number; readonly field: string },
): number => {
  const range = `between ${formatSeconds(low_s)} and ${formatSeconds(high_s)} seconds`
  if (requested_s <= low_s || requested_s >= high_s)
    throw new AppError("invalid", `${field} must be ${range}, the boundaries next to it`)
  const starts = [...new Set(words.map((w) => w.start).filter((t) => t >= low_s && t < high_s))].slice(1)
  if (starts.length === 0) throw new AppError("invalid", `${field} cannot be moved: no word begins ${range}`)
  return starts.reduce((best, t) => (Math.abs(t - requested_s) < Math.abs(best - requested_s) ? t : best))
}
