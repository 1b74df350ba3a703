import { and, eq, sql } from "drizzle-orm"
import type { JobProgress } from "../../../domain/jobs/jobs.ts"
import type { Claim, ClaimRequest, ClaimResult } from "../ports/stages.ts"
import { type Context, jobLockKey, type Tx } from "./context.ts"
import { isActive, type JobRow, jobRow, type StageRow, setJob, setStage, stageRow } from "./job-rows.ts"
import { readSnapshot } from "./snapshot.ts"
import { run, type Steps } from "./steps.ts"

export const claimStage = async (
  c: Context,
  { jobId, stage, owner, host, leaseMs, alone }: ClaimRequest,
): Promise<ClaimResult> => {
  const found = await c.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* jobRow(tx, jobId)
    if (!job) return "unknown"
    const row = yield* stageRow(tx, jobId, stage)
    if (!row || !isActive(job)) return "duplicate"
    const { at } = tx
    const left = row.state === "running" && row.leaseUntil !== null && row.leaseUntil <= at
    // An abandoned stage whose attempts are used up is for the sweep to end.
    if (row.state !== "queued" && !(left && row.tries < row.maxAttempts)) return "duplicate"
    // The message that says so is on its way, or the sweep writes it.
    if (alone === false && (row.crashed || left)) return "duplicate"

    const claim: Claim = { jobId, stage, attempt: row.attempt + 1, tries: row.tries + 1, owner }
    const { attempt, tries } = claim
    yield* setStage(tx, row, { state: "running", attempt, tries, owner, host, leaseUntil: at + leaseMs, beganAt: at })
    if (job.status === "queued") yield* setJob(tx, jobId, { status: "running", startedAt: at })
    // It no longer waits.
    if (job.progress?.stage === stage) yield* setJob(tx, jobId, { progress: null })
    return { claim, snapshot: yield* readSnapshot(tx, job, row) }
  })
  return typeof found === "string" ? { claim: null, why: found } : { claim: found.claim, job: found.snapshot() }
}

/** The rows behind a claim that still holds; else null, and whoever held it has now let go. */
export function* loadHeldClaim(tx: Tx, claim: Claim): Steps<{ job: JobRow; row: StageRow } | null> {
  const job = yield* jobRow(tx, claim.jobId)
  const row = yield* stageRow(tx, claim.jobId, claim.stage)
  if (!job || !row || row.owner !== claim.owner || row.attempt !== claim.attempt) return null
  return isActive(job) && row.state === "running" ? { job, row } : null
}

/**
 * Notes that an attempt which no longer counts has come to its end, too: nothing is written by it any more, and the
 * language model that it held may be evicted.
 */
export function* letGo(tx: Tx, claim: Claim): Steps<void> {
  const row = yield* stageRow(tx, claim.jobId, claim.stage)
  if (row && row.owner === claim.owner && row.attempt === claim.attempt)
    yield* setStage(tx, row, { owner: null, host: null, leaseUntil: null })
}

export const heartbeat = (c: Context, claim: Claim, leaseMs: number) =>
  c.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (held) {
      yield* setStage(tx, held.row, { leaseUntil: tx.at + leaseMs })
      return "held"
    }
    const job = yield* jobRow(tx, claim.jobId)
    return job && !isActive(job) ? "cancelled" : "lost"
  })

export const reportProgress = (c: Context, claim: Claim, progress: JobProgress): Promise<void> =>
  c.write([jobLockKey(claim.jobId)], function* (tx) {
    if (yield* loadHeldClaim(tx, claim)) yield* setJob(tx, claim.jobId, { progress })
  })

/** Forgets what this stage reported; what a parallel stage reports stays. */
export const clearProgress = ({ db, dialect, t: { jobs } }: Tx, claim: Claim): Steps<number> =>
  run(
    db
      .update(jobs)
      .set({ progress: null })
      .where(and(eq(jobs.id, claim.jobId), sql`${dialect.jsonText(jobs.progress, "stage")} = ${claim.stage}`)),
  )
