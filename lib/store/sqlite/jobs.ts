import { and, count, desc, eq, lt, or } from "drizzle-orm"
import type { JobList, JobRecord, JobsQuery } from "../../contracts/jobs.ts"
import { JOB_STATES, type JobStatus, type StageName } from "../../contracts/stages.ts"
import type { TraceContext } from "../../contracts/trace.ts"
import { givenTranscripts, jobStages, jobs } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { AppError } from "../../errors.ts"
import type { NewJob } from "../types.ts"
import type { Context } from "./context.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import { enqueue } from "./enqueue.ts"
import { isActive, jobRow, type StageRow, setBegunStages, setStage, stageRows, toRecord } from "./job-rows.ts"

const record = (tx: Tx, jobId: string): JobRecord | null => {
  const job = jobRow(tx, jobId)
  return job ? toRecord(job, stageRows(tx, [jobId])) : null
}

export const submitJob = ({ handle, now }: Context, job: NewJob): JobRecord => {
  // Serialised before the write lock is taken: half a million words take a while.
  const given = job.transcription && JSON.stringify(job.transcription)
  return withWrite(handle, (tx) => {
    const at = now()
    tx.insert(jobs)
      .values({
        id: job.jobId,
        sessionId: job.sessionId,
        title: job.title,
        source: job.source,
        options: job.options,
        status: "queued",
        createdAt: at,
        trace: job.trace ?? null,
      })
      .run()
    if (given) tx.insert(givenTranscripts).values({ jobId: job.jobId, words: given }).run()
    tx.insert(jobStages)
      .values(job.plan.map((planned) => ({ ...planned, jobId: job.jobId, state: "pending" as const })))
      .run()
    const row = jobRow(tx, job.jobId)!
    const first = stageRows(tx, [job.jobId]).find((r) => r.stage === job.first)
    if (!first) throw new Error(`the plan of job '${job.jobId}' lacks its first stage '${job.first}'`)
    enqueue(tx, row, first, at)
    return record(tx, job.jobId)!
  })
}

export const getJob = ({ handle }: Context, jobId: string): JobRecord | null =>
  withRead(handle, (tx) => record(tx, jobId))

export const countJobs = ({ handle }: Context): Record<JobStatus, number> => {
  const rows = withRead(handle, (tx) =>
    tx.select({ status: jobs.status, n: count() }).from(jobs).groupBy(jobs.status).all(),
  )
  const found = new Map(rows.map(({ status, n }) => [status, n]))
  return Object.fromEntries(JOB_STATES.map((s) => [s, found.get(s) ?? 0])) as Record<JobStatus, number>
}

export const listJobs = ({ handle }: Context, { status, clip_id: clip, limit, cursor }: JobsQuery): JobList => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return withRead(handle, (tx) => {
    const rows = tx
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
      .limit(limit + 1)
      .all()
    const page = rows.slice(0, limit)
    const stages = stageRows(
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

export const cancelJob = ({ handle, now }: Context, jobId: string): JobRecord | null =>
  withWrite(handle, (tx) => {
    const job = jobRow(tx, jobId)
    if (!job) return null
    if (!isActive(job)) throw new AppError("conflict", `job '${jobId}' is ${job.status} and can no longer be cancelled`)
    tx.update(jobs).set({ status: "cancelled", progress: null, finishedAt: now() }).where(eq(jobs.id, jobId)).run()
    setBegunStages(tx, jobId, "cancelled")
    return record(tx, jobId)
  })

const isDone = (rows: readonly StageRow[], stage: StageName) =>
  rows.some((r) => r.stage === stage && r.state === "done")

/** What must be done before a stage may start, by the plan: its joins, else whoever names it as next. */
const needs = (rows: readonly StageRow[], row: StageRow): readonly StageName[] =>
  row.joins.length > 0 ? row.joins : rows.filter((r) => r.next.includes(row.stage)).map((r) => r.stage)

export const retryJob = ({ handle, now }: Context, jobId: string, trace?: TraceContext): JobRecord | null =>
  withWrite(handle, (tx) => {
    const job = jobRow(tx, jobId)
    if (!job) return null
    if (job.status !== "error" && job.status !== "cancelled")
      throw new AppError(
        "conflict",
        `job '${jobId}' is ${job.status} and can only be retried after an error or a cancellation`,
      )
    const rows = stageRows(tx, [jobId])
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
    tx.update(jobs).set(again).where(eq(jobs.id, jobId)).run()
    for (const row of rows.filter((r) => r.state !== "done")) {
      if (needs(rows, row).every((stage) => isDone(rows, stage))) enqueue(tx, again, row, now(), { tries: 0 })
      else setStage(tx, row, { state: "pending", tries: 0 })
    }
    return record(tx, jobId)
  })
