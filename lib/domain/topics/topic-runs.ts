import * as z from "zod"
import { topicSettings } from "../jobs/jobs.ts"
import { isoTime } from "../schemas.ts"
import { topicTree } from "./topic-tree.ts"

/** One making of a clip's topics. The id is that of the job that made it, where a job did. */
export const topicRunEntry = z.object({
  id: z.string(),
  clip_id: z.string(),
  created_at: isoTime,
  provider: z.string().nullable(),
  llm_model: z.string().nullable(),
  /** What was asked for; null: not known. */
  settings: topicSettings.nullable(),
  /** Topics of all levels. */
  topics: z.int(),
})
export type TopicRunEntry = z.infer<typeof topicRunEntry>

/** A run with the tree as it made it, without what people wrote over it. */
export const topicRun = topicRunEntry.extend({ tree: topicTree })
export type TopicRun = z.infer<typeof topicRun>
