import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"

/** The values of the edited fields of a topic before they were edited. */
export const topicOriginal = z.object({
  title: z.string().optional().describe("The title that the run gave"),
  summary: z.string().optional().describe("The summary that the run gave"),
  start_s: z.number().optional().describe("The start that the run found"),
  end_s: z.number().optional().describe("The end that the run found"),
})
export type TopicOriginal = z.infer<typeof topicOriginal>

export const LEVEL_DESCRIPTION =
  "1 for the whole recording (L0 of the tree), 2 for its topics (L1), 3 for their subtopics (L2)"

/** A node of the topic tree. Each child starts where the one before it ends. Times are in seconds. */
export type TopicNode = {
  title: string
  summary: string
  start_s: number
  end_s: number
  /** True if a user edited the topic; `original` then holds the replaced values. */
  edited?: true | undefined
  original?: TopicOriginal | undefined
  children: TopicNode[]
}

export const topicNode: z.ZodType<TopicNode> = z.object({
  title: z.string().max(MAX_TITLE_CHARS).describe("The title"),
  summary: z.string().describe("The summary"),
  start_s: z.number().describe("The start in seconds"),
  end_s: z.number().describe("The end in seconds"),
  edited: z.literal(true).optional().describe("True if a user edited the topic"),
  original: topicOriginal.optional().describe("The values of the edited fields before they were edited"),
  get children() {
    return z.array(topicNode).describe("The parts of the topic in order")
  },
})

/** The topic tree of one recording: `topics` has one L0 node, its children are L1, and their children L2. */
export const topicTree = z.object({
  topics: z.array(topicNode).max(1).describe("One L0 node. Its children are L1, and their children L2"),
  notes: z
    .array(z.string())
    .optional()
    .describe("Sentences for the user, such as which parts a fallback model wrote and which edits match no topic"),
})
export type TopicTree = z.infer<typeof topicTree>

/** A topic in a flat list. Level 1 is L0, 2 is L1, 3 is L2; numbers are "1", "1.2", "1.2.3". Times are in seconds. */
export const flatTopic = z.object({
  title: z.string().describe("The title"),
  level: z.int().min(1).max(3).describe(LEVEL_DESCRIPTION),
  number: z.string().describe("The position in the tree: `1`, `1.2` or `1.2.3`"),
  summary: z.string().describe("The summary"),
  start_s: z.number().describe("The start in seconds"),
  duration_s: z.number().describe("The length in seconds"),
})
export type FlatTopic = z.infer<typeof flatTopic>

/** Returns the text whose embedding represents a topic. */
export const topicEmbeddingText = ({ title, summary }: { title: string; summary: string }): string =>
  summary ? `${title}. ${summary}` : title
