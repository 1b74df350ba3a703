import { and, eq, min, sql } from "drizzle-orm"
import type { JobProgress } from "../../../../domain/jobs/jobs.ts"
import type { StageName } from "../../../../domain/jobs/stages.ts"
import type { Claim, ClaimRequest, ClaimResult } from "../../ports/stages.ts"
import { jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { isActive, type JobRow, readJobRow, readStageRow, type StageRow, setJob, setStage } from "../jobs/job-rows.ts"
import { all, type Operation, run } from "../statements.ts"
import { readSnapshot } from "./snapshot.ts"

export const claimStage = async (
  database: SqlDatabase,
  { jobId, stage, owner, host, leaseMs, attempt: requested, alone }: ClaimRequest,
): Promise<ClaimResult> => {
  const found = await database.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* readJobRow(tx, jobId)
    if (!job) return "unknown"
    const row = yield* readStageRow(tx, jobId, stage)
    if (!row || !isActive(job)) return "duplicate"
    // Each attempt has a message of its own, which is published when the attempt is due. A copy of an earlier message must
    // not start it before.
    if (requested !== undefined && requested !== row.attempt + 1) return "duplicate"
    const { now } = tx
    const isAbandoned = row.state === "running" && row.leaseUntil !== null && row.leaseUntil <= now
    // The sweep fails an abandoned stage that has no attempt left.
    if (row.state !== "queued" && !(isAbandoned && row.tries < row.maxAttempts)) return "duplicate"
    // The sweep enqueues a message with the `crashed` flag, whose receiver claims the stage alone.
    if (alone === false && (row.crashed || isAbandoned)) return "duplicate"

    const claim: Claim = { jobId, stage, attempt: row.attempt + 1, tries: row.tries + 1, owner }
    const { attempt, tries } = claim
    yield* setStage(tx, row, { state: "running", attempt, tries, owner, host, leaseUntil: now + leaseMs, beganAt: now })
    if (job.status === "queued") yield* setJob(tx, jobId, { status: "running", startedAt: now })
    // Removes the note that the stage is waiting.
    if (job.progress?.stage === stage) yield* setJob(tx, jobId, { progress: null })
    return { claim, snapshot: yield* readSnapshot(tx, job, row) }
  })
  return typeof found === "string" ? { claim: null, why: found } : { claim: found.claim, job: found.snapshot() }
}

const hasOwner = (row: StageRow, claim: Claim) => row.owner === claim.owner && row.attempt === claim.attempt

/** Returns the job and stage of a claim, or null if the claim no longer holds. */
export function* loadHeldClaim(tx: Transaction, claim: Claim): Operation<{ job: JobRow; row: StageRow } | null> {
  const job = yield* readJobRow(tx, claim.jobId)
  const row = yield* readStageRow(tx, claim.jobId, claim.stage)
  if (!job || !row || !hasOwner(row, claim)) return null
  return isActive(job) && row.state === "running" ? { job, row } : null
}

/** Records that an attempt which no longer counts has ended, so that its language model can be evicted. */
export function* releaseClaim(tx: Transaction, claim: Claim): Operation<void> {
  const row = yield* readStageRow(tx, claim.jobId, claim.stage)
  if (row && hasOwner(row, claim)) yield* setStage(tx, row, { owner: null, host: null, leaseUntil: null })
}

export const renewLease = (database: SqlDatabase, claim: Claim, leaseMs: number) =>
  database.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (held) {
      yield* setStage(tx, held.row, { leaseUntil: tx.now + leaseMs })
      return "held"
    }
    const job = yield* readJobRow(tx, claim.jobId)
    return job && !isActive(job) ? "cancelled" : "lost"
  })

export const reportProgress = (database: SqlDatabase, claim: Claim, progress: JobProgress): Promise<void> =>
  database.write([jobLockKey(claim.jobId)], function* (tx) {
    if (yield* loadHeldClaim(tx, claim)) yield* setJob(tx, claim.jobId, { progress })
  })

/** Removes the progress that this stage reported, but not that of a parallel stage. */
export const clearProgress = ({ db, dialect, tables: { jobs } }: Transaction, claim: Claim): Operation<number> =>
  run(
    db
      .update(jobs)
      .set({ progress: null })
      .where(and(eq(jobs.id, claim.jobId), sql`${dialect.jsonText(jobs.progress, "stage")} = ${claim.stage}`)),
  )

/**
 * Reads when each queued stage was first enqueued since its job was submitted or retried. Uses the time of
 * the first message, which the sweep keeps. A stage that is deferred repeatedly has newer ones.
 */
export const getQueuedSince = async (database: SqlDatabase): Promise<Partial<Record<StageName, number>>> => {
  const rows = await database.read(({ db, tables: { jobStages, outbox } }) =>
    all(
      db
        .select({ stage: outbox.stage, since: min(outbox.availableAt) })
        .from(jobStages)
        .innerJoin(outbox, and(eq(outbox.jobId, jobStages.jobId), eq(outbox.stage, jobStages.stage)))
        .where(eq(jobStages.state, "queued"))
        .groupBy(outbox.stage),
    ),
  )
  return Object.fromEntries(rows.map(({ stage, since }) => [stage, since]))
}
