import { AppError } from "../errors.ts"
import type { WordSpan } from "../transcript/words.ts"
import { applyTopicEdits, findEditedTopic, type LocatedTopic, listTopics } from "./apply-topic-edits.ts"
import { listBoundaries, matchBoundaryEdits } from "./boundaries.ts"
import { changeOutline, type EditClock, keepTextsInPlace } from "./outline.ts"
import { snapToWordStart } from "./snap-to-word.ts"
import { applyStructure, isStructureEdit } from "./structure.ts"
import type { StoredBoundaryEdit, StoredTextEdit, StoredTopicEdit, TopicPatch } from "./topic-edits.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

export type EditRequest = EditClock & {
  /** The tree of the latest run, without edits. */
  readonly tree: TopicTree
  readonly edits: readonly StoredTopicEdit[]
  /** The number of the topic in the tree. */
  readonly topic: string
  readonly patch: TopicPatch
  /** The transcript, in order of start time. Needed only to move a boundary. */
  readonly words: readonly WordSpan[]
}

const locate = (tree: TopicTree, edits: readonly StoredTopicEdit[], topic: string): LocatedTopic => {
  const located = listTopics(applyTopicEdits(tree, edits).tree).find(({ number }) => number === topic)
  if (!located) throw new AppError("not_found", `unknown topic '${topic}': the clip has no topic of this number`)
  return located
}

/**
 * Adds an edit of one topic to the edits of a clip and returns the new list.
 * @throws AppError `not_found` for an unknown topic, `invalid` for a time at which the boundary cannot be
 */
export const addTopicEdit = (request: EditRequest): readonly StoredTopicEdit[] => {
  const { tree, topic, patch } = request
  const shown = locate(tree, request.edits, topic)
  let edits = editText(request)
  const hasStructure = edits.some(isStructureEdit)
  for (const field of ["start_s", "end_s"] as const) {
    const requested_s = patch[field]
    if (requested_s === undefined) continue
    if (hasStructure) {
      // An earlier move of the start leaves the end where it is.
      const boundary_s = shown.node[field]
      edits = moveInOutline({ ...request, edits }, boundary_s, requested_s, field)
    } else {
      const { node } = listTopics(tree).find(({ number }) => number === topic)!
      const [root] = tree.topics
      const boundary_s = field === "start_s" ? node.start_s : findEndBoundary(root!, node)
      edits = moveBoundary({ ...request, edits }, root!, boundary_s, requested_s, field)
    }
  }
  return edits
}

/** Sets title or summary. Each topic has at most one text edit, anchored to its span before boundaries were moved. */
const editText = ({ tree, edits, topic: number, patch, now, newId }: EditRequest): readonly StoredTopicEdit[] => {
  if (patch.title === undefined && patch.summary === undefined) return edits
  const { tree: structured, pinned } = applyStructure(tree, edits)
  const topics = listTopics(structured)
  const topic = topics.find((t) => t.number === number)!
  const earlier = edits
    .filter((e): e is StoredTextEdit => e.kind === "text" && findEditedTopic(topics, e, pinned)?.node === topic.node)
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

/** Moves a boundary of a clip with structure edits, or back to its original time if `requested_s` is null. */
const moveInOutline = (
  request: EditRequest,
  boundary_s: number,
  requested_s: number | null,
  field: string,
): readonly StoredTopicEdit[] => {
  const { tree, edits, words } = request
  const changed = changeOutline(tree, edits, request, ({ root, entries }) => {
    const i = entries.findIndex(({ at_s }) => at_s === boundary_s)
    const entry = entries[i]
    if (i < 1 || !entry) {
      if (requested_s === null) return
      throw new AppError("invalid", `${field} cannot be moved: the recording itself begins or ends there`)
    }
    const [low_s, high_s] = [entries[i - 1]!.at_s, entries[i + 1]?.at_s ?? root.end_s]
    const original_s = entry.run_s ?? entry.from_s
    if (requested_s === null && (original_s <= low_s || original_s >= high_s)) return
    const at_s = requested_s === null ? original_s : snapToWordStart(words, requested_s, { low_s, high_s, field })
    if (at_s !== entry.at_s) Object.assign(entry, { at_s, changed: entry.changed ?? "place" })
  })
  return changed ?? edits
}

/**
 * Removes all edits of a topic: its texts, the moves of its boundaries, and what was added, merged or moved where it
 * begins or within it.
 * @throws AppError `not_found` for an unknown topic
 */
export const resetTopicEdits = (request: Omit<EditRequest, "patch" | "words">): readonly StoredTopicEdit[] => {
  const { tree, topic } = request
  const patch = { title: null, summary: null, start_s: null, end_s: null }
  const { node } = locate(tree, request.edits, topic)
  const edits = addTopicEdit({ ...request, patch, words: [] })
  if (topic === "1") return edits
  const { boundaries, assigned } = applyStructure(tree, edits)
  const isStart = node.start_s === boundaries[0]?.at_s
  const own = boundaries.find(({ at_s, edit }) => edit !== undefined && at_s === node.start_s)?.edit
  return keepTextsInPlace(tree, edits, "keep", (all) =>
    all.filter((edit) => {
      if (!isStructureEdit(edit)) return true
      const isWithin = edit.at_s > node.start_s && edit.at_s < node.end_s
      // A topic that was added within it is reset by itself.
      const isChange = isWithin && (edit.level === null || assigned.has(edit))
      return !isChange && edit !== own && !(isStart && edit.level === 1)
    }),
  )
}
