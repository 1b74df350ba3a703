import type { IfMatch } from "../../domain/clip-version.ts"
import type { ClipTopics, TopicPatch } from "../../domain/topics/topic-edits.ts"
import { type ClipRef, unknownClip } from "../clips/clips.ts"
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

/** Removes all edits of a topic, including those of its boundaries. @throws AppError as `editTopic` */
export const resetTopic = (deps: Deps, ref: TopicRef, ifMatch?: IfMatch): Promise<ClipTopics> =>
  editTopic(deps, ref, { title: null, summary: null, start_s: null, end_s: null }, ifMatch)

/** Removes one edit, even if it matches no topic of the latest run. @throws AppError as `editTopic` */
export const removeTopicEdit = async (
  deps: Deps,
  { id, edit }: ClipRef & { edit: string },
  ifMatch?: IfMatch,
): Promise<ClipTopics> => requireTopics(await requireStore(deps).topics.removeEdit(id, edit, ifMatch), id)
