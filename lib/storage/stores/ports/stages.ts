import type { JobState, PersistOutput, WhisperOutput } from "../../../domain/jobs/job-state.ts"
import type { JobProgress, StoredJobOptions } from "../../../domain/jobs/jobs.ts"
import type { LiveWord, LiveWords } from "../../../domain/jobs/live-words.ts"
import type { SourceRef } from "../../../domain/jobs/source.ts"
import type { StageName } from "../../../domain/jobs/stages.ts"
import type { GivenTranscript } from "../../../domain/transcript/given/read-transcript.ts"
import type { TranscriptOrigin } from "../../../domain/transcript/transcript-origin.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** The stored data of a job when a stage begins. */
export type JobSnapshot = {
  readonly jobId: string
  /** The ID of the clip: `result_session_id` if set, else `session_id`. */
  readonly sessionId: string
  readonly title: string
  readonly source: SourceRef
  readonly options: StoredJobOptions
  /** The transcript that came with the request, or null. */
  readonly given: GivenTranscript | null
  /** The transcript of the clip, or null if it has none yet. */
  readonly words: readonly WordSpan[] | null
  readonly duration_s: number
  /** What made the transcript of the clip, or null without one. */
  readonly made_by: TranscriptOrigin | null
  readonly state: JobState
}

/** The right of a worker to execute a stage. */
export type Claim = {
  readonly jobId: string
  readonly stage: StageName
  /** The fencing token: every write of a running stage carries it. It never decreases. */
  readonly attempt: number
  /** The attempts charged since the job was submitted or retried, including this one. */
  readonly tries: number
  readonly owner: string
}

export type ClaimRequest = {
  readonly jobId: string
  readonly stage: StageName
  readonly owner: string
  readonly host: string
  readonly leaseMs: number
  /** The attempt that the message requests. A copy of a message for an earlier attempt is a duplicate. */
  readonly attempt?: number
  /** If false, a stage whose last worker died is not claimed, because it may have caused the crash. */
  readonly alone?: boolean
}

export type ClaimResult =
  | { readonly claim: Claim; readonly job: JobSnapshot }
  /** `duplicate`: the stage is done, cancelled or claimed by another worker. `unknown`: the job does not exist. */
  | { readonly claim: null; readonly why: "duplicate" | "unknown" }

export type StageResult =
  | { readonly stage: "whisper"; readonly output: WhisperOutput }
  | { readonly stage: "persist"; readonly output: PersistOutput }
  | { readonly stage: Exclude<StageName, "whisper" | "persist">; readonly output: unknown }

export type StageFailure = {
  readonly detail: string
  /**
   * - `never`: the job fails.
   * - `retry`: the stage is requeued after `retryInMs` while it has attempts left.
   * - `later`: the stage is requeued after `retryInMs` without using an attempt. The job fails if the stage has been
   *   deferred for longer than `maxDeferMs` since it was first deferred.
   */
  readonly kind: "never" | "retry" | "later"
  readonly retryInMs: number
  /** Unlimited by default. A stage that is requeued immediately is not deferred. */
  readonly maxDeferMs?: number
}

/** The settings of workers that sweeps depend on. */
export type SweepOptions = {
  readonly leaseMs: number
  /** The interval at which each worker sweeps. */
  readonly intervalMs: number
}

/** Claims stages and records how they end. A write with a claim that no longer holds changes nothing. */
export interface StageStore {
  claim(request: ClaimRequest): Promise<ClaimResult>
  /**
   * Extends the lease of a claim. Returns `lost` if the claim no longer holds, and `cancelled` if the job was cancelled
   * or failed.
   */
  renewLease(claim: Claim, leaseMs: number): Promise<"held" | "lost" | "cancelled">
  reportProgress(claim: Claim, progress: JobProgress): Promise<void>
  /** Appends words to those that the running transcription has recognized so far. */
  addLiveWords(claim: Claim, batch: number, words: readonly LiveWord[]): Promise<void>
  /** Returns the words that a running transcription has recognized after a position, which is the `next` of a page or "". */
  listLiveWords(jobId: string, after: string): Promise<LiveWords>
  /**
   * Writes the result of a stage, marks it done and enqueues its successors. Returns false, with nothing written, if the
   * claim no longer holds.
   */
  complete(claim: Claim, result: StageResult): Promise<boolean>
  /**
   * Requeues a failed stage, or fails its job. Returns `fenced`, with nothing written, if the claim no longer holds.
   */
  fail(claim: Claim, failure: StageFailure): Promise<"queued" | "error" | "fenced">
  /**
   * Requeues the stages whose lease has expired and fails the jobs whose stage has no attempt left. Returns the number
   * of each. Also republishes messages that the broker may have lost, and deletes old outbox and worker rows.
   *
   * The first sweep after a suspension of all workers or of the database extends the leases instead: a suspended worker
   * continues where it stopped, and must not be taken for a dead one.
   */
  sweep(options: SweepOptions): Promise<{ requeued: number; failed: number }>
  /**
   * Returns, per stage, when the longest-waiting job was first enqueued for it since it was submitted or retried.
   * Deferrals do not reset this time. Stages without a queued job are absent.
   */
  getQueuedSince(): Promise<Partial<Record<StageName, number>>>
}
