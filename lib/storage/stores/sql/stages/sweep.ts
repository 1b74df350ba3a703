import { and, eq, gt, isNotNull, lt, lte, or, sql } from "drizzle-orm"
import { MAX_LEASE_S } from "../../../../domain/constants.ts"
import type { SweepOptions } from "../../ports/stages.ts"
import { jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { failJob } from "../jobs/fail-job.ts"
import { isActive, readJobRow, readStageRow, type StageRow } from "../jobs/job-rows.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { enqueueStage } from "./enqueue.ts"

/** A published message may be lost if its stage is still queued after this time. The time doubles with each resend. */
const REPUBLISH_AFTER_MS = 60_000
const MAX_DOUBLINGS = 6
const KEEP_PUBLISHED_MS = 3_600_000
const KEEP_WORKERS_MS = 86_400_000

/** The longest lease that the settings allow. One that ends later was written before the clock was set back. */
const MAX_LEASE_MS = MAX_LEASE_S * 1000

/** The row of `leases` whose `until` says how long the last sweep counts. It belongs to no process. */
const SWEEP = "sweep"

/**
 * Returns for how long a sweep counts. If no process sweeps for longer, all of them or the database were suspended. Half a
 * lease, because a heartbeat after a third of a lease then still finds the lease valid. Never less than two intervals, so
 * that a sweeper on time is not taken for one that was suspended.
 */
const toSweepTtlMs = ({ leaseMs, intervalMs }: SweepOptions): number => Math.max(leaseMs / 2, 2 * intervalMs)

function* isSweptOnTime({ db, now, tables: { leases } }: Transaction, ttlMs: number): Operation<boolean> {
  const last = yield* get(db.select({ until: leases.until }).from(leases).where(eq(leases.name, SWEEP)))
  // A sweep that counts for longer was before the clock was set back.
  return last !== undefined && last.until > now && last.until <= now + ttlMs
}

/**
 * Records this sweep. After a suspension it gives each running stage a full lease, because a worker that is still alive
 * may not have come to renew it.
 */
const beginSweep = (database: SqlDatabase, options: SweepOptions): Promise<void> =>
  database.write([SWEEP], function* (tx) {
    const { db, now } = tx
    const { jobStages, leases } = tx.tables
    const ttlMs = toSweepTtlMs(options)
    if (!(yield* isSweptOnTime(tx, ttlMs))) {
      const isHeld = and(eq(jobStages.state, "running"), isNotNull(jobStages.leaseUntil))
      yield* run(
        db
          .update(jobStages)
          .set({ leaseUntil: now + options.leaseMs })
          .where(isHeld),
      )
    }
    const set = { owner: SWEEP, until: now + ttlMs }
    const insert = db.insert(leases).values({ name: SWEEP, ...set })
    yield* run(insert.onConflictDoUpdate({ target: leases.name, set }))
  })

const describeExpiredLease = ({ stage, tries }: StageRow) =>
  `The worker running ${stage} stopped responding ${tries} ${tries === 1 ? "time" : "times"} before the stage was done. ` +
  "It died or was blocked for longer than its lease. Check the worker's log, then retry the job."

/** Selects the latest message of each queued stage. */
const isAwaited = ({ tables: { outbox, jobStages } }: Transaction) => sql`exists (select 1 from ${jobStages}
  where ${jobStages.jobId} = ${outbox.jobId} and ${jobStages.stage} = ${outbox.stage} and ${jobStages.state} = 'queued'
  and ${outbox.id} = ${jobStages.jobId} || ':' || ${jobStages.stage} || ':' || ${jobStages.messages})`

/** Selects the first message of each unfinished stage. `getQueuedSince` reads its time. */
const isFirstMessage = ({ tables: { outbox, jobStages } }: Transaction) => sql`exists (select 1 from ${jobStages}
  where ${jobStages.jobId} = ${outbox.jobId} and ${jobStages.stage} = ${outbox.stage}
  and ${jobStages.state} in ('queued', 'running'))
  and not exists (select 1 from ${outbox} as earlier where earlier.job_id = ${outbox.jobId}
  and earlier.stage = ${outbox.stage} and earlier.seq < ${outbox.seq})`

/** Marks messages as unpublished that the broker may have lost. If it was only slow, a claim makes the copy harmless. */
const republishLost = (tx: Transaction): Operation<number> => {
  const { outbox } = tx.tables
  const doublings = sql`case when ${outbox.resends} < ${MAX_DOUBLINGS} then ${outbox.resends} else ${MAX_DOUBLINGS} end`
  const dueAt = sql`${outbox.publishedAt} + ${REPUBLISH_AFTER_MS} * (1 << cast(${doublings} as integer))`
  return run(
    tx.db
      .update(outbox)
      .set({ publishedAt: null, resends: sql`${outbox.resends} + 1` })
      .where(and(lte(outbox.publishedAt, tx.now - REPUBLISH_AFTER_MS), sql`${dueAt} <= ${tx.now}`, isAwaited(tx))),
  )
}

function* deleteOldRows(tx: Transaction): Operation<void> {
  const { outbox, workers } = tx.tables
  const isNeeded = sql`(${isAwaited(tx)} or (${isFirstMessage(tx)}))`
  yield* run(tx.db.delete(outbox).where(and(lt(outbox.publishedAt, tx.now - KEEP_PUBLISHED_MS), sql`not ${isNeeded}`)))
  yield* run(tx.db.delete(workers).where(lt(workers.seenAt, tx.now - KEEP_WORKERS_MS)))
}

const hasExpiredLease = ({ tables: { jobStages }, now }: Transaction) =>
  and(eq(jobStages.state, "running"), or(lte(jobStages.leaseUntil, now), gt(jobStages.leaseUntil, now + MAX_LEASE_MS)))

const listExpired = (database: SqlDatabase) =>
  database.read((tx) => {
    const { jobs, jobStages } = tx.tables
    return all(
      tx.db
        .select({ jobId: jobStages.jobId, stage: jobStages.stage })
        .from(jobStages)
        .innerJoin(jobs, eq(jobs.id, jobStages.jobId))
        .where(hasExpiredLease(tx)),
    )
  })

/**
 * Requeues one stage or fails its job, in a transaction of its own. Reads the rows again, because the worker of the stage
 * or an earlier call may have changed them. Returns null if there is nothing to do any more.
 */
const requeueOrFail = (
  database: SqlDatabase,
  { jobId, stage }: Pick<StageRow, "jobId" | "stage">,
  options: SweepOptions,
) =>
  database.write([jobLockKey(jobId)], function* (tx) {
    // The suspension may also begin and end between two statements of a sweep.
    if (!(yield* isSweptOnTime(tx, toSweepTtlMs(options)))) return null
    const job = yield* readJobRow(tx, jobId)
    const row = yield* readStageRow(tx, jobId, stage)
    const { now } = tx
    const isExpired = row && (row.leaseUntil === null || row.leaseUntil <= now || row.leaseUntil > now + MAX_LEASE_MS)
    if (!job || !row || !isActive(job) || row.state !== "running" || !isExpired) return null
    if (row.tries >= row.maxAttempts) {
      yield* failJob(tx, row, describeExpiredLease(row))
      return "failed"
    }
    yield* enqueueStage(tx, job, row, now, { crashed: true })
    return "requeued"
  })

export const sweep = async (
  database: SqlDatabase,
  options: SweepOptions,
): Promise<{ requeued: number; failed: number }> => {
  const counts = { requeued: 0, failed: 0 }
  await beginSweep(database, options)
  for (const stage of await listExpired(database)) {
    const outcome = await requeueOrFail(database, stage, options)
    if (outcome) counts[outcome]++
  }
  await database.write([], function* (tx) {
    yield* republishLost(tx)
    yield* deleteOldRows(tx)
  })
  return counts
}
