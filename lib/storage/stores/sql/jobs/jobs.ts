import { and, count, eq, or } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import type { JobList, JobRecord, JobsQuery } from "../../../../domain/jobs/jobs.ts"
import type { TraceContext } from "../../../../domain/jobs/stages.ts"
import { JOB_STATES, type JobStatus, type StageName } from "../../../../domain/jobs/stages.ts"
import { serializeTranscript } from "../../../../domain/transcript/given/stored-transcript.ts"
import type { NewJob } from "../../ports/jobs.ts"
import { jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { isAfter, isCreatedIn, orderBy, splitPage } from "../pagination.ts"
import { enqueueStage, insertStageMessage } from "../stages/enqueue.ts"
import { all, type Operation, run } from "../statements.ts"
import { insertWebhook } from "../webhooks/webhooks.ts"
import {
  isActive,
  readJobRow,
  readStageRows,
  type StageRow,
  setActiveStageStates,
  setJob,
  setStage,
  toRecord,
} from "./job-rows.ts"

function* readJobRecord(tx: Transaction, jobId: string): Operation<JobRecord | null> {
  const job = yield* readJobRow(tx, jobId)
  return job ? toRecord(job, yield* readStageRows(tx, [jobId])) : null
}

export const submitJob = async (
  database: SqlDatabase,
  { plan, first, transcription, webhook, ...job }: NewJob,
): Promise<JobRecord> => {
  // Serialized before the transaction takes the write lock: half a million words take a while.
  const given = transcription && ("json" in transcription ? transcription.json : serializeTranscript(transcription))
  return database.write([jobLockKey(job.jobId)], function* (tx) {
    const { jobs, givenTranscripts, jobStages } = tx.tables
    const values = { ...job, id: job.jobId, status: "queued", createdAt: tx.now } as const
    const [row] = yield* all(tx.db.insert(jobs).values(values).onConflictDoNothing().returning())
    if (!row) return (yield* readJobRecord(tx, job.jobId))!
    if (webhook) yield* insertWebhook(tx, webhook, job.jobId)
    if (given) yield* run(tx.db.insert(givenTranscripts).values({ jobId: job.jobId, words: given }))
    // The first stage is inserted as queued, with its first message: a submission takes few statements, because on
    // PostgreSQL each is a round trip.
    const stages = plan.map((planned) => {
      const isFirst = planned.stage === first
      const state = isFirst ? ("queued" as const) : ("pending" as const)
      return {
        ...planned,
        jobId: job.jobId,
        state,
        messages: isFirst ? 1 : 0,
        attempt: 0,
        beganAt: null,
        endedAt: null,
      }
    })
    const firstStage = stages.find((stage) => stage.stage === first)
    if (!firstStage) throw new Error(`the stage graph of job '${job.jobId}' lacks its first stage '${first}'`)
    yield* run(tx.db.insert(jobStages).values(stages))
    yield* insertStageMessage(tx, row, firstStage, tx.now)
    return toRecord(row, stages)
  })
}

export const getJob = (database: SqlDatabase, jobId: string): Promise<JobRecord | null> =>
  database.read((tx) => readJobRecord(tx, jobId))

export const countJobs = async (database: SqlDatabase): Promise<Record<JobStatus, number>> => {
  const rows = await database.read(({ db, tables: { jobs } }) =>
    all(db.select({ status: jobs.status, n: count() }).from(jobs).groupBy(jobs.status)),
  )
  const counts = new Map(rows.map(({ status, n }) => [status, n]))
  return Object.fromEntries(JOB_STATES.map((s) => [s, counts.get(s) ?? 0])) as Record<JobStatus, number>
}

export const listJobs = async (
  database: SqlDatabase,
  { status, clip_id: clip, limit, cursor, q, sort, ...created }: JobsQuery,
): Promise<JobList> =>
  database.read(function* (tx) {
    const { jobs } = tx.tables
    const isDescending = sort !== "created_at"
    const order = {
      name: isDescending ? undefined : sort,
      type: "integer",
      column: jobs.createdAt,
      id: jobs.id,
      isDescending,
    } as const
    const rows = yield* all(
      tx.db
        .select()
        .from(jobs)
        .where(
          and(
            status && eq(jobs.status, status),
            clip === undefined ? undefined : or(eq(jobs.sessionId, clip), eq(jobs.resultSessionId, clip)),
            q ? tx.dialect.containsText(jobs.title, q) : undefined,
            isCreatedIn(jobs.createdAt, created),
            isAfter(cursor, order),
          ),
        )
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    const positions = rows.map((job) => ({ ...job, value: job.createdAt }))
    const { page, next } = splitPage(positions, limit, order)
    const stages = yield* readStageRows(
      tx,
      page.map((job) => job.id),
    )
    return {
      jobs: page.map((job) =>
        toRecord(
          job,
          stages.filter((s) => s.jobId === job.id),
        ),
      ),
      ...next,
    }
  })

export const cancelJob = (database: SqlDatabase, jobId: string): Promise<JobRecord | null> =>
  database.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* readJobRow(tx, jobId)
    if (!job) return null
    if (!isActive(job)) throw new AppError("conflict", `job '${jobId}' is ${job.status} and can no longer be cancelled`)
    yield* setJob(tx, jobId, { status: "cancelled", progress: null, finishedAt: tx.now })
    yield* setActiveStageStates(tx, jobId, "cancelled")
    return yield* readJobRecord(tx, jobId)
  })

const isDone = (rows: readonly StageRow[], stage: StageName) =>
  rows.some((r) => r.stage === stage && r.state === "done")

/** Returns the stages that must be done before a stage can start. */
const predecessors = (rows: readonly StageRow[], row: StageRow): readonly StageName[] =>
  row.joins.length > 0 ? row.joins : rows.filter((r) => r.next.includes(row.stage)).map((r) => r.stage)

export const retryJob = (database: SqlDatabase, jobId: string, trace?: TraceContext): Promise<JobRecord | null> =>
  database.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* readJobRow(tx, jobId)
    if (!job) return null
    if (job.status !== "error" && job.status !== "cancelled")
      throw new AppError(
        "conflict",
        `job '${jobId}' is ${job.status} and can only be retried after an error or a cancellation`,
      )
    const rows = yield* readStageRows(tx, [jobId])
    const retried = {
      ...job,
      status: "queued" as const,
      // Until the whisper stage is done, it has to find out again which clip the source belongs to.
      resultSessionId: isDone(rows, "whisper") ? job.resultSessionId : null,
      attempts: job.attempts + 1,
      progress: null,
      errorStage: null,
      errorDetail: null,
      startedAt: null,
      finishedAt: null,
      trace: trace ?? job.trace,
    }
    yield* setJob(tx, jobId, retried)
    // `getQueuedSince` reads the first message of a stage, which must not be one from before the retry.
    yield* run(tx.db.delete(tx.tables.outbox).where(eq(tx.tables.outbox.jobId, jobId)))
    for (const row of rows.filter((r) => r.state !== "done")) {
      if (predecessors(rows, row).every((stage) => isDone(rows, stage)))
        yield* enqueueStage(tx, retried, row, tx.now, { tries: 0, deferredSince: null })
      else yield* setStage(tx, row, { state: "pending", tries: 0, deferredSince: null })
    }
    return yield* readJobRecord(tx, jobId)
  })
