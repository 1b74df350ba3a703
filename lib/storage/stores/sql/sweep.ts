import { and, eq, gt, lt, lte, or, sql } from "drizzle-orm"
import { type Context, jobLockKey, type Tx } from "./context.ts"
import { enqueue } from "./enqueue.ts"
import { failJob, isActive, jobRow, type StageRow, stageRow } from "./job-rows.ts"
import { all, run, type Steps } from "./steps.ts"

/** A published message that nobody took up for this long may be lost; it doubles with each resend. */
const RESEND_AFTER_MS = 60_000
const MAX_DOUBLINGS = 6
const KEEP_PUBLISHED_MS = 3_600_000
const KEEP_SILENT_WORKERS_MS = 86_400_000

/** The longest that the settings allow; a later end was written before the clock was set back, and not renewed since. */
const LONGEST_LEASE_MS = 3_600_000

const lapsed = ({ stage, tries }: StageRow) =>
  `the worker running ${stage} fell silent ${tries} ${tries === 1 ? "time" : "times"} before it was done: it died, or was held ` +
  "up for longer than its lease. The worker's log tells which; retry the job when the cause is gone."

/** The stage of an outbox row still waits for this very message. */
const awaited = ({ t: { outbox, jobStages } }: Tx) => sql`exists (select 1 from ${jobStages}
  where ${jobStages.jobId} = ${outbox.jobId} and ${jobStages.stage} = ${outbox.stage} and ${jobStages.state} = 'queued'
  and ${outbox.id} = ${jobStages.jobId} || ':' || ${jobStages.stage} || ':' || ${jobStages.messages})`

/** The first message of a stage that has not ended: it tells since when the stage waits. */
const tellsSince = ({ t: { outbox, jobStages } }: Tx) => sql`exists (select 1 from ${jobStages}
  where ${jobStages.jobId} = ${outbox.jobId} and ${jobStages.stage} = ${outbox.stage}
  and ${jobStages.state} in ('queued', 'running'))
  and not exists (select 1 from ${outbox} as earlier where earlier.job_id = ${outbox.jobId}
  and earlier.stage = ${outbox.stage} and earlier.seq < ${outbox.seq})`

/** Lets the relay publish again what a broker has lost; where it was only slow, a claim makes the second copy harmless. */
const resendLost = (tx: Tx): Steps<number> => {
  const { outbox } = tx.t
  const doublings = sql`case when ${outbox.resends} < ${MAX_DOUBLINGS} then ${outbox.resends} else ${MAX_DOUBLINGS} end`
  const dueAt = sql`${outbox.publishedAt} + ${RESEND_AFTER_MS} * (1 << cast(${doublings} as integer))`
  return run(
    tx.db
      .update(outbox)
      .set({ publishedAt: null, resends: sql`${outbox.resends} + 1` })
      .where(and(lte(outbox.publishedAt, tx.at - RESEND_AFTER_MS), sql`${dueAt} <= ${tx.at}`, awaited(tx))),
  )
}

function* tidy(tx: Tx): Steps<void> {
  const { outbox, workers } = tx.t
  const needed = sql`(${awaited(tx)} or (${tellsSince(tx)}))`
  yield* run(tx.db.delete(outbox).where(and(lt(outbox.publishedAt, tx.at - KEEP_PUBLISHED_MS), sql`not ${needed}`)))
  yield* run(tx.db.delete(workers).where(lt(workers.seenAt, tx.at - KEEP_SILENT_WORKERS_MS)))
}

const isOver = ({ t: { jobStages }, at }: Tx) =>
  and(
    eq(jobStages.state, "running"),
    or(lte(jobStages.leaseUntil, at), gt(jobStages.leaseUntil, at + LONGEST_LEASE_MS)),
  )

const expired = (c: Context) =>
  c.read((tx) => {
    const { jobs, jobStages } = tx.t
    return all(
      tx.db
        .select({ jobId: jobStages.jobId, stage: jobStages.stage })
        .from(jobStages)
        .innerJoin(jobs, eq(jobs.id, jobStages.jobId))
        .where(isOver(tx)),
    )
  })

/** A job a transaction: what was found is looked at again, because its worker or the stage before it may have acted. */
const take = (c: Context, { jobId, stage }: Pick<StageRow, "jobId" | "stage">) =>
  c.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* jobRow(tx, jobId)
    const row = yield* stageRow(tx, jobId, stage)
    const { at } = tx
    const over = row && (row.leaseUntil === null || row.leaseUntil <= at || row.leaseUntil > at + LONGEST_LEASE_MS)
    if (!job || !row || !isActive(job) || row.state !== "running" || !over) return null
    if (row.tries >= row.maxAttempts) {
      yield* failJob(tx, row, lapsed(row))
      return "failed"
    }
    yield* enqueue(tx, job, row, at, { crashed: true })
    return "requeued"
  })

export const sweep = async (c: Context): Promise<{ requeued: number; failed: number }> => {
  const counts = { requeued: 0, failed: 0 }
  for (const found of await expired(c)) {
    const end = await take(c, found)
    if (end) counts[end]++
  }
  await c.write([], function* (tx) {
    yield* resendLost(tx)
    yield* tidy(tx)
  })
  return counts
}
