import * as z from "zod"
import { STAGE_NAMES, type StageName } from "./stage-table.ts"

export { STAGE_NAMES, type StageName }
export const stageName = z.enum(STAGE_NAMES)

export const STAGE_STATES = ["pending", "queued", "running", "done", "error", "cancelled"] as const
export const stageState = z.enum(STAGE_STATES)
export type StageState = z.infer<typeof stageState>

export const JOB_STATES = ["queued", "running", "done", "error", "cancelled"] as const
export const jobStatus = z.enum(JOB_STATES)
export type JobStatus = z.infer<typeof jobStatus>

export const MESSAGE_VERSION = 1

/** The position of a piece of work in a trace, in the format of W3C Trace Context. */
export const traceContext = z.object({ traceparent: z.string().max(200), tracestate: z.string().max(2000).optional() })
export type TraceContext = z.infer<typeof traceContext>

/** A message of a stage queue. It carries IDs and names only; the database holds the state of the stage. */
export const stageMessage = z.object({
  version: z.literal(MESSAGE_VERSION),
  job_id: z.string().min(1).max(64),
  session_id: z.uuid(),
  stage: stageName,
  /** The attempt that this message requests, counted from 1. */
  attempt: z.int().min(1),
  /** The successors of the stage in the stage graph. Never contains `l0`, because a join is enqueued by its last predecessor. */
  next: z.array(stageName).max(2),
  /** True if the worker of the previous attempt died. This attempt then runs alone, because it may have been the cause. */
  crashed: z.boolean().optional(),
  /** The trace of the job. An invalid value is ignored. */
  trace: traceContext.optional().catch(undefined),
})
export type StageMessage = z.infer<typeof stageMessage>
