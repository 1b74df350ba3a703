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

const newTitle = z.string().overwrite(cleanName).min(1).max(MAX_TITLE_CHARS)
const newSummary = z.string().overwrite(cleanName).max(2000)
const texts = {
  title: newTitle.optional().describe("The title. By default it is found in the words"),
  summary: newSummary.optional().describe("The summary"),
}
const MAX_TIME_S = 2_592_000
const newStart = z
  .number()
  .min(0)
  .max(MAX_TIME_S)
  .describe("Where the new topic begins, in seconds. It is snapped to the start of a word")

/** A number of a topic, such as `1.2`. */
export const topicNumber = z
  .string()
  .regex(/^1(\.[1-9]\d{0,5}){0,2}$/, { error: "must be the number of a topic, like 1, 1.2 or 1.2.3" })

/** A change of which topics a recording has. It applies to later topic runs too, matched by time. */
export const structureChange = z.discriminatedUnion("action", [
  z
    .object({
      action: z.literal("add").describe("Add a topic"),
      at_s: newStart,
      level: z
        .union([z.literal(2), z.literal(3)])
        .default(2)
        .describe("2 for a topic, 3 for a subtopic of the topic at this time"),
      ...texts,
    })
    .describe("Begins a new topic at a time. It ends where the topic at this time has ended"),
  z
    .object({
      action: z.literal("split").describe("Split a topic"),
      topic: topicNumber.describe("The topic to split"),
      at_s: newStart,
      ...texts,
    })
    .describe("Splits a topic or a subtopic in two. The title is that of the second part"),
  z
    .object({
      action: z.literal("merge").describe("Merge two topics"),
      topic: topicNumber.describe("The topic or subtopic to merge"),
      with: z.enum(["previous", "next"]).describe("The neighbor to merge it with"),
      title: newTitle.optional().describe("The title of the merged topic. By default that of the first one"),
      summary: newSummary.optional().describe("The summary of the merged topic. By default those of both"),
    })
    .describe("Merges a topic with its neighbor. Subtopics stay; a topic without any becomes one of them"),
  z
    .object({
      action: z.literal("delete").describe("Delete a topic"),
      topic: topicNumber.describe("The topic or subtopic to delete"),
    })
    .describe(
      "Deletes a topic with its subtopics. Its time goes to the topic before it, or after it if it is the first",
    ),
  z
    .object({
      action: z.literal("move").describe("Give a topic another parent"),
      topic: topicNumber.describe("The topic or subtopic to move"),
      parent: topicNumber.describe(
        "The new parent: `1` makes a subtopic a topic; a topic beside it takes it as its subtopic",
      ),
    })
    .describe("Moves a subtopic to the topic before or after, or changes the level of a topic"),
])
export type StructureChange = z.infer<typeof structureChange>

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
  editBase.extend({
    kind: z.literal("structure").describe("A topic that a user added, merged, moved or deleted"),
    at_s: z.number().describe("The time at which a topic begins, or none does, in seconds"),
    from_s: z.number().describe("The boundary in the run, or where the user added it, in seconds"),
    level: z
      .int()
      .min(1)
      .max(3)
      .nullable()
      .describe(
        "2 if a topic begins, 3 if a subtopic begins, null if none does, 1 for the first topic of the recording",
      ),
    title: z.string().nullable().describe("The title of what begins. Null if the run gives it"),
    summary: z.string().nullable().describe("The summary of what begins. Null if the run gives it"),
  }),
])
export type TopicEdit = z.infer<typeof topicEdit>

/** The current topics of a clip, edits applied, and the edits themselves. */
export const clipTopics = z.object({
  clip_id: z.string().describe("The clip"),
  tree: topicTree.describe("The current topics"),
  edits: z.array(topicEdit).describe("The edits, oldest first"),
  can_undo: z.boolean().describe("True if there is a change that can be undone"),
  can_redo: z.boolean().describe("True if there is an undone change that can be made again"),
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
export type TopicText = { readonly title: string; readonly summary: string }
/** A stored change of what begins at a time. */
export type StoredStructureEdit = {
  readonly kind: "structure"
  readonly id: string
  /** The boundary of the run that the edit was made on, or the time at which a person added one. */
  readonly from_s: number
  /** The boundaries beside it at that time. */
  readonly after_s: number
  readonly before_s: number
  /** Where a topic begins now. */
  readonly at_s: number
  /** 2 for a topic, 3 for a subtopic, null if none begins. 1 stands for the start of the recording. */
  readonly level: 1 | 2 | 3 | null
  /** The texts of the topic, and of the subtopic, that begins. Without them, those of the run. */
  readonly labels: { readonly topic?: TopicText; readonly subtopic?: TopicText }
  /** Unix time in milliseconds. */
  readonly edited_at: number
}
/**
 * A stored topic edit. The times of text and boundary edits, in seconds, refer to the tree of the run it was made on with
 * structure edits applied, so that it can be matched to a later run.
 */
export type StoredTopicEdit = StoredTextEdit | StoredBoundaryEdit | StoredStructureEdit
