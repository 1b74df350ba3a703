import * as z from "zod"
import { MAX_TITLE_CHARS } from "../constants.ts"

/** What the run had made of a topic, as far as people have changed it. */
export const topicOriginal = z.object({
  title: z.string().optional(),
  summary: z.string().optional(),
  start_s: z.number().optional(),
  end_s: z.number().optional(),
})
export type TopicOriginal = z.infer<typeof topicOriginal>

/** A node of the topic tree. Children tile the node: each starts where the one before it ends. Times in seconds. */
export type TopicNode = {
  title: string
  summary: string
  start_s: number
  end_s: number
  /** People have changed it; `original` holds what they changed as the run had it. */
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

/** The tree of one recording: `topics` holds exactly one L0 node, its children are L1, theirs L2. */
export const topicTree = z.object({
  topics: z.array(topicNode).max(1),
  /**
   * Sentences for the reader: what was not made by the model that was asked, which edits no longer find their topic.
   * Missing when there is nothing to tell.
   */
  notes: z.array(z.string()).optional(),
})
export type TopicTree = z.infer<typeof topicTree>

/** A topic of the tree, flattened: level 1 = L0, 2 = L1, 3 = L2; number "1", "1.2", "1.2.3". Times in seconds. */
export const flatTopic = z.object({
  title: z.string(),
  level: z.int().min(1).max(3),
  number: z.string(),
  summary: z.string(),
  start_s: z.number(),
  duration_s: z.number(),
})
export type FlatTopic = z.infer<typeof flatTopic>
