import * as z from "zod"
import { topicSettings } from "../jobs/jobs.ts"
import { isoTime } from "../schemas.ts"
import { topicTree } from "./topic-tree.ts"

/** One execution of the topic stages for a clip. The ID is that of the job, if a job made it. */
export const topicRunEntry = z.object({
  id: z.string(),
  clip_id: z.string(),
  created_at: isoTime,
  provider: z.string().nullable(),
  llm_model: z.string().nullable(),
  /** The requested settings, or null if unknown. */
  settings: topicSettings.nullable(),
  /** The number of topics of all levels. */
  topics: z.int(),
})
export type TopicRunEntry = z.infer<typeof topicRunEntry>

/** A topic run with its tree, without edits. */
export const topicRun = topicRunEntry.extend({ tree: topicTree })
export type TopicRun = z.infer<typeof topicRun>
