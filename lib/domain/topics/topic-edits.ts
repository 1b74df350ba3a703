import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"
import { isoTime, plainName, requireSomeField } from "../schemas.ts"
import { topicTree } from "./topic-tree.ts"

/**
 * What people may write over a topic; null takes what they wrote before away. Times in seconds: the border that is moved
 * is the neighbour's too, stays between the borders beside it, and is snapped to the start of a word.
 */
export const topicPatch = requireSomeField(
  z.object({
    title: z.string().overwrite(plainName).min(1).max(MAX_TITLE_CHARS).nullable().optional(),
    summary: z.string().overwrite(plainName).max(2000).nullable().optional(),
    start_s: z.number().min(0).nullable().optional(),
    end_s: z.number().min(0).nullable().optional(),
  }),
)
export type TopicPatch = z.infer<typeof topicPatch>

const standing = z.object({
  id: z.string(),
  edited_at: isoTime,
  /** Number of the topic that it is shown on; of a border, the topic that begins there. Null: it finds none. */
  topic: z.string().nullable(),
  /** Why it is not shown. Missing when it is. */
  detail: z.string().optional(),
})
/** An edit, by the time that it was made for: the topics may have been made anew since. Seconds. */
export const topicEdit = z.discriminatedUnion("kind", [
  standing.extend({
    kind: z.literal("text"),
    level: z.int().min(1).max(3),
    start_s: z.number(),
    end_s: z.number(),
    /** Null: left as the run has it. */
    title: z.string().nullable(),
    summary: z.string().nullable(),
  }),
  standing.extend({ kind: z.literal("border"), from_s: z.number(), to_s: z.number() }),
])
export type TopicEdit = z.infer<typeof topicEdit>

/** The topics of a clip as people see them, and what they wrote over the last run. */
export const clipTopics = z.object({ clip_id: z.string(), tree: topicTree, edits: z.array(topicEdit) })
export type ClipTopics = z.infer<typeof clipTopics>
