import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"
import { cleanName, isoTime, requireSomeField } from "../schemas.ts"
import { topicTree } from "./topic-tree.ts"

/**
 * A change to a topic. Null removes the earlier edit of the field. Times are in seconds. A moved boundary also belongs to
 * the neighboring topic; it must stay between the boundaries next to it and is snapped to the start of a word.
 */
export const topicPatch = requireSomeField(
  z.object({
    title: z.string().overwrite(cleanName).min(1).max(MAX_TITLE_CHARS).nullable().optional(),
    summary: z.string().overwrite(cleanName).max(2000).nullable().optional(),
    start_s: z.number().min(0).nullable().optional(),
    end_s: z.number().min(0).nullable().optional(),
  }),
)
export type TopicPatch = z.infer<typeof topicPatch>

const editBase = z.object({
  id: z.string(),
  edited_at: isoTime,
  /** The number of the edited topic; for a boundary, the topic that begins there. Null if the edit has no effect. */
  topic: z.string().nullable(),
  /** Why the edit has no effect. */
  detail: z.string().optional(),
})
/** An edit with its effect on the current topics. Its times, in seconds, refer to the run that it was made on. */
export const topicEdit = z.discriminatedUnion("kind", [
  editBase.extend({
    kind: z.literal("text"),
    level: z.int().min(1).max(3),
    start_s: z.number(),
    end_s: z.number(),
    /** Null if the edit does not change the field. */
    title: z.string().nullable(),
    summary: z.string().nullable(),
  }),
  editBase.extend({ kind: z.literal("border"), from_s: z.number(), to_s: z.number() }),
])
export type TopicEdit = z.infer<typeof topicEdit>

/** The current topics of a clip, edits applied, and the edits themselves. */
export const clipTopics = z.object({ clip_id: z.string(), tree: topicTree, edits: z.array(topicEdit) })
export type ClipTopics = z.infer<typeof clipTopics>

/** A stored edit of a title or summary. */
export type StoredTextEdit = {
  readonly kind: "text"
  readonly id: string
  readonly level: number
  readonly start_s: number
  readonly end_s: number
  /** Null if the edit does not change the field. */
  readonly title: string | null
  readonly summary: string | null
  /** Unix time in milliseconds. */
  readonly edited_at: number
}
/** A stored move of a boundary. */
export type StoredBoundaryEdit = {
  readonly kind: "border"
  readonly id: string
  readonly from_s: number
  readonly to_s: number
  /** Unix time in milliseconds. */
  readonly edited_at: number
}
/**
 * A stored topic edit. Its times, in seconds, refer to the unedited tree of the run it was made on, so that it can be
 * matched to a later run.
 */
export type StoredTopicEdit = StoredTextEdit | StoredBoundaryEdit
