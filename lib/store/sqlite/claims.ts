import { eq, sql } from "drizzle-orm"
import type { JobProgress } from "../../contracts/jobs.ts"
import { jobs } from "../../db/schema/index.ts"
import { type Tx, withWrite } from "../../db/transact.ts"
import type { Claim, ClaimResult, Store } from "../types.ts"
import type { Context } from "./context.ts"
import { isActive, type JobRow, jobRow, type StageRow, setStage, stageRow } from "./job-rows.ts"
import { readSnapshot } from "./snapshot.ts"

export const claimStage = (
  { handle, now }: Context,
  { jobId, stage, owner, host, leaseMs, alone }: Parameters<Store["claimStage"]>[0],
): ClaimResult => {
  const found = withWrite(handle, (tx) => {
    const job = jobRow(tx, jobId)
    if (!job) return "unknown"
    const row = stageRow(tx, jobId, stage)
    if (!row || !isActive(job)) return "duplicate"
    const at = now()
    const left = row.state === "running" && row.leaseUntil !== null && row.leaseUntil <= at
    // An abandoned stage whose attempts are used up is for the sweep to end.
    if (row.state !== "queued" && !(left && row.tries < row.maxAttempts)) return "duplicate"
    // The message that says so is on its way, or the sweep writes it.
    if (alone === false && (row.crashed || left)) return "duplicate"

    const claim: Claim = { jobId, stage, attempt: row.attempt + 1, tries: row.tries + 1, owner }
    const { attempt, tries } = claim
    setStage(tx, row, { state: "running", attempt, tries, owner, host, leaseUntil: at + leaseMs, beganAt: at })
    if (job.status === "queued")
      tx.update(jobs).set({ status: "running", startedAt: at }).where(eq(jobs.id, jobId)).run()
    return { claim, snapshot: readSnapshot(tx, job, row) }
  })
  return typeof found === "string" ? { claim: null, why: found } : { claim: found.claim, job: found.snapshot() }
}

/** The rows behind a claim that still holds; else null, and whoever held it has now let go. */
export const holding = (tx: Tx, claim: Claim): { job: JobRow; row: StageRow } | null => {
  const job = jobRow(tx, claim.jobId)
  const row = stageRow(tx, claim.jobId, claim.stage)
  if (!job || !row || row.owner !== claim.owner || row.attempt !== claim.attempt) return null
  return isActive(job) && row.state === "running" ? { job, row } : null
}

/**
 * Notes that an attempt which no longer counts has come to its end, too: nothing is written by it any more, and the
 * language model that it held may be evicted.
 */
export const letGo = (tx: Tx, claim: Claim): void => {
  const row = stageRow(tx, claim.jobId, claim.stage)
  if (row && row.owner === claim.owner && row.attempt === claim.attempt)
    setStage(tx, row, { owner: null, host: null, leaseUntil: null })
}

export const heartbeat = ({ handle, now }: Context, claim: Claim, leaseMs: number) =>
  withWrite(handle, (tx) => {
    const held = holding(tx, claim)
    if (held) {
      setStage(tx, held.row, { leaseUntil: now() + leaseMs })
      return "held"
    }
    const job = jobRow(tx, claim.jobId)
    return job && !isActive(job) ? "cancelled" : "lost"
  })

export const reportProgress = ({ handle }: Context, claim: Claim, progress: JobProgress): void =>
  withWrite(handle, (tx) => {
    if (holding(tx, claim)) tx.update(jobs).set({ progress }).where(eq(jobs.id, claim.jobId)).run()
  })

/** Forgets what this stage reported; what a parallel stage reports stays. */
export const clearProgress = (tx: Tx, claim: Claim): void =>
  void tx
    .update(jobs)
    .set({ progress: null })
    .where(sql`${jobs.id} = ${claim.jobId} and json_extract(${jobs.progress}, '$.stage') = ${claim.stage}`)
    .run()
