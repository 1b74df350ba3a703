import * as z from "zod"
import { topicSettings } from "../jobs/jobs.ts"
import { isoTime } from "../schemas.ts"
import { topicTree } from "./topic-tree.ts"

/** One execution of the topic stages for a clip. The ID is that of the job, if a job made it. */
export const topicRunEntry = z.object({
  id: z.string().describe("The ID of the job, if a job made the run"),
  clip_id: z.string().describe("The clip"),
  created_at: isoTime.describe("When the run ended"),
  provider: z.string().nullable().describe("What wrote the topics"),
  llm_model: z.string().nullable().describe("The language model that wrote the topics"),
  /** The requested settings, or null if unknown. */
  settings: topicSettings.nullable().describe("The requested settings. Null if unknown"),
  topics: z.int().describe("The number of topics of all levels"),
})
export type TopicRunEntry = z.infer<typeof topicRunEntry>

/** A topic run with its tree, without edits. */
export const topicRun = topicRunEntry.extend({ tree: topicTree.describe("The topics without edits") })
export type TopicRun = z.infer<typeof topicRun>
