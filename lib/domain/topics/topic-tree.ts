import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"

/** The values of the edited fields of a topic before they were edited. */
export const topicOriginal = z.object({
  title: z.string().optional(),
  summary: z.string().optional(),
  start_s: z.number().optional(),
  end_s: z.number().optional(),
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
  title: z.string().max(MAX_TITLE_CHARS),
  summary: z.string(),
  start_s: z.number(),
  end_s: z.number(),
  edited: z.literal(true).optional(),
  original: topicOriginal.optional(),
  get children() {
    return z.array(topicNode)
  },
})

/** The topic tree of one recording: `topics` has one L0 node, its children are L1, and their children L2. */
export const topicTree = z.object({
  topics: z.array(topicNode).max(1),
  /** Sentences for the user, such as which parts a fallback model wrote and which edits match no topic. */
  notes: z.array(z.string()).optional(),
})
export type TopicTree = z.infer<typeof topicTree>

/** A topic in a flat list. Level 1 is L0, 2 is L1, 3 is L2; numbers are "1", "1.2", "1.2.3". Times are in seconds. */
export const flatTopic = z.object({
  title: z.string(),
  level: z.int().min(1).max(3).describe(LEVEL_DESCRIPTION),
  number: z.string(),
  summary: z.string(),
  start_s: z.number(),
  duration_s: z.number(),
})
export type FlatTopic = z.infer<typeof flatTopic>

/** Returns the text whose embedding represents a topic. */
export const topicEmbeddingText = ({ title, summary }: { title: string; summary: string }): string =>
  summary ? `${title}. ${summary}` : title
