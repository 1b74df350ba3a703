import { and, count, desc, eq, lt, or } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import type { JobList, JobRecord, JobsQuery } from "../../../domain/jobs/jobs.ts"
import { JOB_STATES, type JobStatus, type StageName } from "../../../domain/jobs/stages.ts"
import type { TraceContext } from "../../../domain/jobs/trace.ts"
import type { NewJob } from "../ports/jobs.ts"
import { type Context, jobLockKey, type Tx } from "./context.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import { enqueue } from "./enqueue.ts"
import {
  isActive,
  jobRow,
  type StageRow,
  setActiveStageStates,
  setJob,
  setStage,
  stageColumns,
  stageRows,
  toRecord,
} from "./job-rows.ts"
import { all, run, type Steps } from "./steps.ts"

function* record(tx: Tx, jobId: string): Steps<JobRecord | null> {
  const job = yield* jobRow(tx, jobId)
  return job ? toRecord(job, yield* stageRows(tx, [jobId])) : null
}

export const submitJob = async (c: Context, { plan, first, transcription, ...job }: NewJob): Promise<JobRecord> => {
  // Serialised before the write lock is taken: half a million words take a while.
  const given = transcription && JSON.stringify(transcription)
  return c.write([jobLockKey(job.jobId)], function* (tx) {
    const { jobs, givenTranscripts, jobStages } = tx.t
    const values = { ...job, id: job.jobId, status: "queued", createdAt: tx.at } as const
    const [row] = yield* all(tx.db.insert(jobs).values(values).returning())
    if (given) yield* run(tx.db.insert(givenTranscripts).values({ jobId: job.jobId, words: given }))
    const stages = yield* all(
      tx.db
        .insert(jobStages)
        .values(plan.map((planned) => ({ ...planned, jobId: job.jobId, state: "pending" as const })))
        .returning(stageColumns(tx)),
    )
    const begins = stages.find((r) => r.stage === first)
    if (!begins) throw new Error(`the plan of job '${job.jobId}' lacks its first stage '${first}'`)
    yield* enqueue(tx, row!, begins, tx.at)
    return toRecord(
      row!,
      stages.map((r) => (r === begins ? { ...r, state: "queued" } : r)),
    )
  })
}

export const getJob = (c: Context, jobId: string): Promise<JobRecord | null> => c.read((tx) => record(tx, jobId))

export const countJobs = async (c: Context): Promise<Record<JobStatus, number>> => {
  const rows = await c.read(({ db, t: { jobs } }) =>
    all(db.select({ status: jobs.status, n: count() }).from(jobs).groupBy(jobs.status)),
  )
  const found = new Map(rows.map(({ status, n }) => [status, n]))
  return Object.fromEntries(JOB_STATES.map((s) => [s, found.get(s) ?? 0])) as Record<JobStatus, number>
}

export const listJobs = async (c: Context, { status, clip_id: clip, limit, cursor }: JobsQuery): Promise<JobList> => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return c.read(function* (tx) {
    const { jobs } = tx.t
    const rows = yield* all(
      tx.db
        .select()
        .from(jobs)
        .where(
          and(
            status && eq(jobs.status, status),
            clip === undefined ? undefined : or(eq(jobs.sessionId, clip), eq(jobs.resultSessionId, clip)),
            after && or(lt(jobs.createdAt, after.at), and(eq(jobs.createdAt, after.at), lt(jobs.id, after.id))),
          ),
        )
        .orderBy(desc(jobs.createdAt), desc(jobs.id))
        .limit(limit + 1),
    )
    const page = rows.slice(0, limit)
    const stages = yield* stageRows(
      tx,
      page.map((j) => j.id),
    )
    const last = page.at(-1)
    return {
      jobs: page.map((j) =>
        toRecord(
          j,
          stages.filter((s) => s.jobId === j.id),
        ),
      ),
      ...(rows.length > limit && last && { next_cursor: encodeCursor({ at: last.createdAt, id: last.id }) }),
    }
  })
}

export const cancelJob = (c: Context, jobId: string): Promise<JobRecord | null> =>
  c.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* jobRow(tx, jobId)
    if (!job) return null
    if (!isActive(job)) throw new AppError("conflict", `job '${jobId}' is ${job.status} and can no longer be cancelled`)
    yield* setJob(tx, jobId, { status: "cancelled", progress: null, finishedAt: tx.at })
    yield* setActiveStageStates(tx, jobId, "cancelled")
    return yield* record(tx, jobId)
  })

const isDone = (rows: readonly StageRow[], stage: StageName) =>
  rows.some((r) => r.stage === stage && r.state === "done")

/** What must be done before a stage may start, by the plan: its joins, else whoever names it as next. */
const needs = (rows: readonly StageRow[], row: StageRow): readonly StageName[] =>
  row.joins.length > 0 ? row.joins : rows.filter((r) => r.next.includes(row.stage)).map((r) => r.stage)

export const retryJob = (c: Context, jobId: string, trace?: TraceContext): Promise<JobRecord | null> =>
  c.write([jobLockKey(jobId)], function* (tx) {
    const job = yield* jobRow(tx, jobId)
    if (!job) return null
    if (job.status !== "error" && job.status !== "cancelled")
      throw new AppError(
        "conflict",
        `job '${jobId}' is ${job.status} and can only be retried after an error or a cancellation`,
      )
    const rows = yield* stageRows(tx, [jobId])
    const again = {
      ...job,
      status: "queued" as const,
      // Until whisper is done, which recording the source is has to be found out again.
      resultSessionId: rows.some((r) => r.stage === "whisper" && r.state === "done") ? job.resultSessionId : null,
      attempts: job.attempts + 1,
      progress: null,
      errorStage: null,
      errorDetail: null,
      startedAt: null,
      finishedAt: null,
      trace: trace ?? job.trace,
    }
    yield* setJob(tx, jobId, again)
    // Since when a stage waits is told by its first message, which has to be one of this run.
    yield* run(tx.db.delete(tx.t.outbox).where(eq(tx.t.outbox.jobId, jobId)))
    for (const row of rows.filter((r) => r.state !== "done")) {
      if (needs(rows, row).every((stage) => isDone(rows, stage))) yield* enqueue(tx, again, row, tx.at, { tries: 0 })
      else yield* setStage(tx, row, { state: "pending", tries: 0 })
    }
    return yield* record(tx, jobId)
  })
