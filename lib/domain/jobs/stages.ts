import * as z from "zod"
import { STAGE_NAMES, type StageName } from "./stage-table.ts"
import { traceContext } from "./trace.ts"

export { STAGE_NAMES, type StageName }
export const stageName = z.enum(STAGE_NAMES)

export const STAGE_STATES = ["pending", "queued", "running", "done", "error", "cancelled"] as const
export const stageState = z.enum(STAGE_STATES)
export type StageState = z.infer<typeof stageState>

export const JOB_STATES = ["queued", "running", "done", "error", "cancelled"] as const
export const jobStatus = z.enum(JOB_STATES)
export type JobStatus = z.infer<typeof jobStatus>

export const MESSAGE_VERSION = 1

/** What a queue carries: ids and names only. The database row is the truth; a message is a hint to look at it. */
export const stageMessage = z.object({
  version: z.literal(MESSAGE_VERSION),
  job_id: z.string().min(1).max(64),
  session_id: z.uuid(),
  stage: stageName,
  /** The attempt of the stage that this message asks for, counted from 1. */
  attempt: z.int().min(1),
  /** The stages that follow this one by graph.ts; never `l0`, which the join inserts. */
  next: z.array(stageName).max(2),
  /** The worker of the attempt before died: this one is made apart from others, for it may have been the cause. */
  crashed: z.boolean().optional(),
  /** The trace that the job belongs to. Unreadable, it is as good as none: no job stops for it. */
  trace: traceContext.optional().catch(undefined),
})
export type StageMessage = z.infer<typeof stageMessage>
