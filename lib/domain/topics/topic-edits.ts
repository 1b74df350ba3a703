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
    title: z
      .string()
      .overwrite(cleanName)
      .min(1)
      .max(MAX_TITLE_CHARS)
      .nullable()
      .optional()
      .describe("The new title, or null to undo the edit of the title"),
    summary: z
      .string()
      .overwrite(cleanName)
      .max(2000)
      .nullable()
      .optional()
      .describe("The new summary, or null to undo the edit"),
    start_s: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe("The new start in seconds, or null to undo its move. It is snapped to the start of a word"),
    end_s: z.number().min(0).nullable().optional().describe("The new end in seconds, or null to undo its move"),
  }),
)
export type TopicPatch = z.infer<typeof topicPatch>

const editBase = z.object({
  id: z.string().describe("The ID of the edit"),
  edited_at: isoTime.describe("When the edit was made"),
  topic: z
    .string()
    .nullable()
    .describe(
      "The number of the edited topic; for a boundary, the topic that begins there. Null if the edit has no effect",
    ),
  detail: z.string().optional().describe("Why the edit has no effect"),
})
/** An edit with its effect on the current topics. Its times, in seconds, refer to the run that it was made on. */
export const topicEdit = z.discriminatedUnion("kind", [
  editBase.extend({
    kind: z.literal("text").describe("An edit of the title or the summary"),
    level: z.int().min(1).max(3).describe("The level of the edited topic"),
    start_s: z.number().describe("The start of the topic in the run"),
    end_s: z.number().describe("The end of the topic in the run"),
    title: z.string().nullable().describe("The new title. Null if the edit does not change it"),
    summary: z.string().nullable().describe("The new summary. Null if the edit does not change it"),
  }),
  editBase.extend({
    kind: z.literal("border").describe("A moved boundary"),
    from_s: z.number().describe("The boundary in the run, in seconds"),
    to_s: z.number().describe("Where the user moved it, in seconds"),
  }),
])
export type TopicEdit = z.infer<typeof topicEdit>

/** The current topics of a clip, edits applied, and the edits themselves. */
export const clipTopics = z.object({
  clip_id: z.string().describe("The clip"),
  tree: topicTree.describe("The current topics"),
  edits: z.array(topicEdit).describe("The edits, oldest first"),
  etag: z.string().optional().describe("The version. An edit with it in `If-Match` fails if the topics have changed"),
})
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
