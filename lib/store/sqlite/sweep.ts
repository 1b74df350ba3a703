import { and, eq, gt, lt, lte, or, sql } from "drizzle-orm"
import { jobStages, jobs, outbox, workers } from "../../db/schema/index.ts"
import { type Tx, withWrite } from "../../db/transact.ts"
import type { Context } from "./context.ts"
import { enqueue } from "./enqueue.ts"
import { failJob, isActive, jobRow, type StageRow, stageRow } from "./job-rows.ts"

/** A published message that nobody took up for this long may be lost; it doubles with each resend. */
const RESEND_AFTER_MS = 60_000
const MAX_DOUBLINGS = 6
const KEEP_PUBLISHED_MS = 3_600_000
const KEEP_SILENT_WORKERS_MS = 86_400_000

/** The longest that the settings allow; a later end was written before the clock was set back, and not renewed since. */
const LONGEST_LEASE_MS = 3_600_000

const died = ({ stage, tries }: StageRow) =>
  `the worker running ${stage} died ${tries} ${tries === 1 ? "time" : "times"} before it was done. ` +
  "The worker's log tells why; retry the job when the cause is gone."

/** The stage of an outbox row still waits for this very message. */
const awaited = sql`exists (select 1 from ${jobStages} where ${jobStages.jobId} = ${outbox.jobId}
  and ${jobStages.stage} = ${outbox.stage} and ${jobStages.state} = 'queued'
  and ${outbox.id} = ${jobStages.jobId} || ':' || ${jobStages.stage} || ':' || ${jobStages.messages})`

/** Lets the relay publish again what a broker has lost; where it was only slow, a claim makes the second copy harmless. */
const resendLost = (tx: Tx, at: number): void => {
  const wait = sql`${RESEND_AFTER_MS} * (1 << min(${outbox.resends}, ${MAX_DOUBLINGS}))`
  tx.update(outbox)
    .set({ publishedAt: null, resends: sql`${outbox.resends} + 1` })
    .where(and(lte(outbox.publishedAt, at - RESEND_AFTER_MS), sql`${outbox.publishedAt} + ${wait} <= ${at}`, awaited))
    .run()
}

const tidy = (tx: Tx, at: number): void => {
  tx.delete(outbox)
    .where(and(lt(outbox.publishedAt, at - KEEP_PUBLISHED_MS), sql`not ${awaited}`))
    .run()
  tx.delete(workers)
    .where(lt(workers.seenAt, at - KEEP_SILENT_WORKERS_MS))
    .run()
}

export const sweep = ({ handle, now }: Context): { requeued: number; failed: number } =>
  withWrite(handle, (tx) => {
    const at = now()
    const expired = tx
      .select({ jobId: jobStages.jobId, stage: jobStages.stage })
      .from(jobStages)
      .innerJoin(jobs, eq(jobs.id, jobStages.jobId))
      .where(
        and(
          eq(jobStages.state, "running"),
          or(lte(jobStages.leaseUntil, at), gt(jobStages.leaseUntil, at + LONGEST_LEASE_MS)),
        ),
      )
      .all()
    const counts = { requeued: 0, failed: 0 }
    for (const { jobId, stage } of expired) {
      // Read again: the stage before it may have ended the job.
      const job = jobRow(tx, jobId)
      const row = stageRow(tx, jobId, stage)
      if (!job || !row || !isActive(job) || row.state !== "running") continue
      if (row.tries >= row.maxAttempts) {
        failJob(tx, row, died(row), at)
        counts.failed++
      } else {
        enqueue(tx, job, row, at, { crashed: true })
        counts.requeued++
      }
    }
    resendLost(tx, at)
    tidy(tx, at)
    return counts
  })
