import type { IfMatch } from "../../domain/clip-version.ts"
import { listTopics } from "../../domain/topics/apply-topic-edits.ts"
import type { ClipTopics, StructureChange, TopicPatch, TopicText } from "../../domain/topics/topic-edits.ts"
import { createBuiltinTopicModel } from "../../engines/language/builtin/topic-model.ts"
import { type ClipRef, getClip, unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"

export type TopicRef = ClipRef & { readonly topic: string }

const requireTopics = (topics: ClipTopics | null, id: string): ClipTopics => {
  if (topics === null) throw unknownClip(id)
  return topics
}

/** Returns the current topics of a clip, edits applied. @throws AppError `not_found` */
export const getTopics = async (deps: Deps, { id }: ClipRef): Promise<ClipTopics> =>
  requireTopics(await requireStore(deps).topics.get(id), id)

/**
 * Edits the title, the summary or the boundaries of a topic. The edit also applies to later runs, matched by time.
 * @throws AppError `not_found`, or `invalid` for a time at which the boundary cannot be, or `precondition_failed`
 */
export const editTopic = async (
  deps: Deps,
  { id, topic }: TopicRef,
  patch: TopicPatch,
  ifMatch?: IfMatch,
): Promise<ClipTopics> => requireTopics(await requireStore(deps).topics.edit(id, topic, patch, ifMatch), id)

/** Finds a title and a summary in the words that a new topic would have, with the builtin engine. */
const suggestTexts = async (
  deps: Deps,
  { id }: ClipRef,
  change: Extract<StructureChange, { action: "add" | "split" }>,
): Promise<TopicText | undefined> => {
  if (change.title !== undefined) return undefined
  const { tree, transcription } = await getClip(deps, { id })
  const level = change.action === "add" ? change.level : change.topic.split(".").length
  const siblings = listTopics(tree).filter((topic) => topic.level === level)
  const divided = siblings.findLast(({ node }) => node.start_s <= change.at_s)?.node ?? tree.topics[0]
  if (!divided || change.at_s >= divided.end_s) return undefined
  const node = { id: "new", start_s: change.at_s, end_s: divided.end_s }
  const others = siblings.map(({ node: { start_s, end_s }, number }) => ({
    id: number,
    start_s,
    end_s: start_s === divided.start_s ? change.at_s : end_s,
  }))
  const inOrder = [...others, node].sort((a, b) => a.start_s - b.start_s)
  const context = { signal: new AbortController().signal, numCtx: 0, reasoning: false }
  return createBuiltinTopicModel().summarize({ words: transcription, node, siblings: inOrder }, context)
}

/**
 * Adds, splits, merges, deletes or moves a topic. The change also applies to later runs, matched by time. A new topic
 * without a title gets one from its words.
 * @throws AppError `not_found`, or `invalid` for an impossible change, or `precondition_failed`
 */
export const changeTopics = async (
  deps: Deps,
  ref: ClipRef,
  change: StructureChange,
  ifMatch?: IfMatch,
): Promise<ClipTopics> => {
  const isNew = change.action === "add" || change.action === "split"
  const suggested = isNew ? await suggestTexts(deps, ref, change) : undefined
  return requireTopics(await requireStore(deps).topics.change(ref.id, change, { suggested, ifMatch }), ref.id)
}

/** Undoes the last change of topics, or makes the last undone one again. @throws AppError `conflict`, or as `editTopic` */
export const stepTopicEdits = async (
  deps: Deps,
  { id }: ClipRef,
  direction: "undo" | "redo",
  ifMatch?: IfMatch,
): Promise<ClipTopics> => requireTopics(await requireStore(deps).topics.step(id, direction, ifMatch), id)

/** Removes all edits of a topic, including those of its boundaries. @throws AppError as `editTopic` */
export const resetTopic = async (deps: Deps, { id, topic }: TopicRef, ifMatch?: IfMatch): Promise<ClipTopics> =>
  requireTopics(await requireStore(deps).topics.reset(id, topic, ifMatch), id)

/** Removes one edit, even if it matches no topic of the latest run. @throws AppError as `editTopic` */
export const removeTopicEdit = async (
  deps: Deps,
  { id, edit }: ClipRef & { edit: string },
  ifMatch?: IfMatch,
): Promise<ClipTopics> => requireTopics(await requireStore(deps).topics.removeEdit(id, edit, ifMatch), id)
