import type { JobList, JobRecord, JobsQuery, StoredJobOptions } from "../../../domain/jobs/jobs.ts"
import type { SourceRef } from "../../../domain/jobs/source.ts"
import type { JobStatus, StageName, TraceContext } from "../../../domain/jobs/stages.ts"
import type { GivenTranscript } from "../../../domain/transcript/given/read-transcript.ts"
import type { StoredTranscript } from "../../../domain/transcript/given/stored-transcript.ts"
import type { NewWebhook } from "./webhooks.ts"

/** A stage in the graph of one job. The graph is stored with the job; the store routes by it and has none of its own. */
export type PlannedStage = {
  readonly stage: StageName
  /** The stages to enqueue when this one is done. */
  readonly next: readonly StageName[]
  /** The stages that must all be done before this one is enqueued. Empty unless the stage is a join. */
  readonly joins: readonly StageName[]
  readonly maxAttempts: number
}

export type NewJob = {
  readonly jobId: string
  readonly sessionId: string
  readonly title: string
  readonly source: SourceRef
  readonly options: StoredJobOptions
  /** The transcript that came with the request. */
  readonly transcription?: GivenTranscript | StoredTranscript
  readonly plan: readonly PlannedStage[]
  /** The stage whose message is inserted together with the job. */
  readonly first: StageName
  /** An address that is told when this job ends. */
  readonly webhook?: NewWebhook | undefined
  /** The trace of the request. Every message of the job carries it. */
  readonly trace?: TraceContext | undefined
}

/** Submits, lists, cancels and retries jobs. */
export interface JobStore {
  /** Inserts a job with its stages and the message of its first stage. Returns the job of this ID if it exists. */
  submit(job: NewJob): Promise<JobRecord>
  /** Returns null for an unknown job. */
  get(jobId: string): Promise<JobRecord | null>
  /** Lists jobs, newest first. */
  list(query: JobsQuery): Promise<JobList>
  countByStatus(): Promise<Record<JobStatus, number>>
  /**
   * Cancels a queued or running job. Returns null for an unknown job.
   * @throws AppError `conflict` if the job has ended
   */
  cancel(jobId: string): Promise<JobRecord | null>
  /**
   * Enqueues the stages of a failed or cancelled job that are not done. Returns null for an unknown job.
   * @param trace the trace of the retry request; it replaces that of the job
   * @throws AppError `conflict` if the job is neither failed nor cancelled
   */
  retry(jobId: string, trace?: TraceContext): Promise<JobRecord | null>
}
