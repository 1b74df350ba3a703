import type { ClipTopics, TopicPatch } from "../../domain/topics/topic-edits.ts"
import { type ClipRef, unknownClip } from "../clips/get-clip.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

export type TopicRef = ClipRef & { readonly topic: string }

const known = (topics: ClipTopics | null, id: string): ClipTopics => {
  if (topics === null) throw unknownClip(id)
  return topics
}

/** The topics as people see them, with their edits. @throws AppError `not_found` */
export const getTopics = async (deps: Deps, { id }: ClipRef): Promise<ClipTopics> =>
  known(await requireStore(deps).topics.get(id), id)

/**
 * Writes over title, summary or borders of a topic. It stands through later runs, found again by its time.
 * @throws AppError `not_found`, or `invalid` for a border that cannot lie where it is asked for
 */
export const editTopic = async (deps: Deps, { id, topic }: TopicRef, patch: TopicPatch): Promise<ClipTopics> =>
  known(await requireStore(deps).topics.edit(id, topic, patch), id)

/** Takes back all edits of a topic, those of its borders included. @throws AppError `not_found` */
export const resetTopic = (deps: Deps, ref: TopicRef): Promise<ClipTopics> =>
  editTopic(deps, ref, { title: null, summary: null, start_s: null, end_s: null })

/** Takes back one edit, also one that finds no topic. @throws AppError `not_found` */
export const removeTopicEdit = async (deps: Deps, { id, edit }: ClipRef & { edit: string }): Promise<ClipTopics> =>
  known(await requireStore(deps).topics.removeEdit(id, edit), id)
