import { and, count, desc, eq, inArray, isNotNull, isNull, like, lt, lte, ne, notExists, or, sql } from "drizzle-orm"
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../../domain/idempotency.ts"
import type { OldRows, RetentionLimits, TableSize } from "../ports/retention.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { isUnusedSpeech, isUnusedVector } from "./map/unused.ts"
import { all, get, type Operation, run } from "./statements.ts"

/** Rows per transaction and kind. A job has eight stages. */
const BATCH_SIZE = 200
const SIZE_PREFIX = "bytes "

/** Selects ended jobs. A worker may still be executing a stage of a cancelled one. */
const isOldJob = (tx: Transaction, { jobsMs, failedUploadsMs }: RetentionLimits) => {
  const { db, now } = tx
  const { jobs, jobStages } = tx.tables
  return and(
    inArray(jobs.status, ["done", "error", "cancelled"]),
    or(lt(jobs.finishedAt, now - jobsMs), and(lt(jobs.finishedAt, now - failedUploadsMs), isFailedUpload(tx))),
    notExists(
      db
        .select({ one: sql`1` })
        .from(jobStages)
        .where(and(eq(jobStages.jobId, jobs.id), sql`${jobStages.leaseUntil} > ${now}`)),
    ),
  )
}

/** Selects jobs of uploads that produced no clip. A clip of the same upload uses the file. */
const isFailedUpload = ({ db, dialect, tables: { jobs, clips } }: Transaction) =>
  and(
    inArray(jobs.status, ["error", "cancelled"]),
    sql`${dialect.jsonText(jobs.source, "kind")} = 'upload'`,
    notExists(
      db
        .select({ one: sql`1` })
        .from(clips)
        .where(eq(clips.id, sql`coalesce(${jobs.resultSessionId}, ${jobs.sessionId})`)),
    ),
  )

/** Selects the outputs of jobs that are done. At most `limit` jobs, or all. */
const isOldOutput = (
  { db, tables: { jobs, jobStages }, now }: Transaction,
  { outputsMs }: RetentionLimits,
  limit = Number.MAX_SAFE_INTEGER,
) => {
  const hasOutput = sql`exists (select 1 from ${jobStages} as s where s.job_id = ${jobs.id} and s.output is not null)`
  const oldJobs = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.status, "done"), lt(jobs.finishedAt, now - outputsMs), hasOutput))
    .limit(limit)
  return and(isNotNull(jobStages.output), inArray(jobStages.jobId, oldJobs))
}

/** Counts the newer runs of the same clip. */
const isOldRun = ({ tables: { topicRuns } }: Transaction, limits: RetentionLimits) =>
  sql`(select count(*) from ${topicRuns} as newer where newer.clip_id = ${topicRuns.clipId}
    and (newer.created_at, newer.id) > (${topicRuns.createdAt}, ${topicRuns.id})) >= ${limits.topicRuns}`

/** Selects idempotency keys whose time is over. A request may still be running with one. */
const isOldKey = ({ now, tables: { idempotencyKeys: keys } }: Transaction) =>
  and(lte(keys.createdAt, now - IDEMPOTENCY_KEY_LIFETIME_MS), or(isNull(keys.owner), lte(keys.leaseUntil, now)))

const numberOf = function* (query: Parameters<typeof get<{ n: number }>>[0]): Operation<number> {
  return (yield* get(query))?.n ?? 0
}

export const countOldRows = (database: SqlDatabase, limits: RetentionLimits): Promise<OldRows> =>
  database.read(function* (tx) {
    const { db } = tx
    const { jobs, jobStages, topicRuns, vectors, topicSpeech, idempotencyKeys } = tx.tables
    const n = count()
    return {
      jobs: yield* numberOf(db.select({ n }).from(jobs).where(isOldJob(tx, limits))),
      outputs: yield* numberOf(db.select({ n }).from(jobStages).where(isOldOutput(tx, limits))),
      topicRuns: yield* numberOf(db.select({ n }).from(topicRuns).where(isOldRun(tx, limits))),
      vectors: yield* numberOf(db.select({ n }).from(vectors).where(isUnusedVector(tx))),
      speech: yield* numberOf(db.select({ n }).from(topicSpeech).where(isUnusedSpeech(tx))),
      idempotencyKeys: yield* numberOf(db.select({ n }).from(idempotencyKeys).where(isOldKey(tx))),
    }
  })

export const deleteOldBatch = (database: SqlDatabase, limits: RetentionLimits): Promise<OldRows> =>
  database.write([], function* (tx) {
    const { db } = tx
    const { jobs, jobStages, topicRuns, vectors, topicSpeech, idempotencyKeys } = tx.tables
    const oldJobs = db.select({ id: jobs.id }).from(jobs).where(isOldJob(tx, limits)).limit(BATCH_SIZE)
    const oldRuns = db.select({ id: topicRuns.id }).from(topicRuns).where(isOldRun(tx, limits)).limit(BATCH_SIZE)
    const unusedVectors = db.select({ hash: vectors.hash }).from(vectors).where(isUnusedVector(tx)).limit(BATCH_SIZE)
    const unusedSpeech = db
      .select({ hash: topicSpeech.hash })
      .from(topicSpeech)
      .where(isUnusedSpeech(tx))
      .limit(BATCH_SIZE)
    const oldKeys = db.select({ key: idempotencyKeys.key }).from(idempotencyKeys).where(isOldKey(tx)).limit(BATCH_SIZE)
    return {
      jobs: yield* run(db.delete(jobs).where(inArray(jobs.id, oldJobs))),
      outputs: yield* run(
        db
          .update(jobStages)
          .set({ output: null })
          .where(isOldOutput(tx, limits, BATCH_SIZE)),
      ),
      topicRuns: yield* run(db.delete(topicRuns).where(inArray(topicRuns.id, oldRuns))),
      vectors: yield* run(db.delete(vectors).where(inArray(vectors.hash, unusedVectors))),
      speech: yield* run(db.delete(topicSpeech).where(inArray(topicSpeech.hash, unusedSpeech))),
      idempotencyKeys: yield* run(db.delete(idempotencyKeys).where(inArray(idempotencyKeys.key, oldKeys))),
    }
  })

export const measureTables = async (database: SqlDatabase): Promise<TableSize[]> => {
  const sizes = await database.read((tx) => tx.dialect.measureTables())
  await database.write([], function* ({ db, tables: { counters } }) {
    for (const { table, bytes } of sizes)
      yield* run(
        db
          .insert(counters)
          .values({ name: `${SIZE_PREFIX}${table}`, value: bytes })
          .onConflictDoUpdate({ target: counters.name, set: { value: bytes }, setWhere: ne(counters.value, bytes) }),
      )
  })
  return sizes
}

export const listTableSizes = async (database: SqlDatabase): Promise<TableSize[]> => {
  const rows = await database.read(({ db, tables: { counters } }) =>
    all(
      db
        .select()
        .from(counters)
        .where(like(counters.name, `${SIZE_PREFIX}%`))
        .orderBy(desc(counters.value), counters.name),
    ),
  )
  return rows.map(({ name, value }) => ({ table: name.slice(SIZE_PREFIX.length), bytes: value }))
}
