import { and, asc, eq, inArray } from "drizzle-orm"
import type { JobRecord } from "../../contracts/jobs.ts"
import { STAGE_NAMES, type StageName, type StageState } from "../../contracts/stages.ts"
import { jobStages, jobs } from "../../db/schema/index.ts"
import type { Tx } from "../../db/transact.ts"

export type JobRow = typeof jobs.$inferSelect
export type StageRow = Omit<typeof jobStages.$inferSelect, "output">

/** Everything but the output, which may be large and is read only by `snapshot`. */
export const stageColumns = {
  jobId: jobStages.jobId,
  stage: jobStages.stage,
  state: jobStages.state,
  next: jobStages.next,
  joins: jobStages.joins,
  maxAttempts: jobStages.maxAttempts,
  attempt: jobStages.attempt,
  tries: jobStages.tries,
  messages: jobStages.messages,
  crashed: jobStages.crashed,
  owner: jobStages.owner,
  host: jobStages.host,
  leaseUntil: jobStages.leaseUntil,
  beganAt: jobStages.beganAt,
  endedAt: jobStages.endedAt,
}

export const jobRow = (tx: Tx, jobId: string): JobRow | undefined =>
  tx.select().from(jobs).where(eq(jobs.id, jobId)).get()

export const stageRow = (tx: Tx, jobId: string, stage: StageName): StageRow | undefined =>
  tx
    .select(stageColumns)
    .from(jobStages)
    .where(and(eq(jobStages.jobId, jobId), eq(jobStages.stage, stage)))
    .get()

export const stageRows = (tx: Tx, jobIds: readonly string[]): StageRow[] =>
  tx
    .select(stageColumns)
    .from(jobStages)
    .where(inArray(jobStages.jobId, [...jobIds]))
    .orderBy(asc(jobStages.jobId))
    .all()

/** Whether the job may still run: what a stage writes counts only then. */
export const isActive = (job: JobRow): boolean => job.status === "queued" || job.status === "running"

export const clipIdOf = (job: JobRow): string => job.resultSessionId ?? job.sessionId

const iso = (ms: number) => new Date(ms).toISOString()

const byStage = <T>(rows: readonly StageRow[], pick: (row: StageRow | undefined) => T) =>
  Object.fromEntries(STAGE_NAMES.map((name) => [name, pick(rows.find((r) => r.stage === name))])) as Record<
    StageName,
    T
  >

/** How long the finished stages took; one that was done before times were kept is left out. */
const secondsOf = (rows: readonly StageRow[]): JobRecord["stage_seconds"] =>
  Object.fromEntries(
    rows.flatMap(({ stage, state, beganAt, endedAt }) =>
      state === "done" && beganAt !== null && endedAt !== null
        ? [[stage, Math.max(0, endedAt - beganAt) / 1000] as const]
        : [],
    ),
  )

/** The record that callers see. `rows` are the stages of this job. */
export const toRecord = (job: JobRow, rows: readonly StageRow[]): JobRecord => ({
  job_id: job.id,
  status: job.status,
  session_id: job.sessionId,
  ...(job.resultSessionId && { result_session_id: job.resultSessionId }),
  title: job.title,
  stages: byStage(rows, (r) => r?.state ?? "pending"),
  stage_attempts: byStage(rows, (r) => r?.attempt ?? 0),
  stage_seconds: secondsOf(rows),
  progress: job.progress,
  ...(job.errorStage && { error: { stage: job.errorStage, detail: job.errorDetail ?? "" } }),
  attempts: job.attempts,
  created_at: iso(job.createdAt),
  ...(job.startedAt !== null && { started_at: iso(job.startedAt) }),
  ...(job.finishedAt !== null && { finished_at: iso(job.finishedAt) }),
})

export const setStage = (tx: Tx, row: StageRow, changes: Partial<typeof jobStages.$inferInsert>): void =>
  void tx
    .update(jobStages)
    .set(changes)
    .where(and(eq(jobStages.jobId, row.jobId), eq(jobStages.stage, row.stage)))
    .run()

/**
 * Takes the stages that are queued or running out of the run. Owner and lease stay: they tell that somebody may
 * still be at work on a stage that no longer counts.
 */
export const setBegunStages = (tx: Tx, jobId: string, state: StageState): void =>
  void tx
    .update(jobStages)
    .set({ state })
    .where(and(eq(jobStages.jobId, jobId), inArray(jobStages.state, ["queued", "running"])))
    .run()

/** Ends the job in error: the stage that failed says so, the others wait for a retry. */
export const failJob = (tx: Tx, row: StageRow, detail: string, at: number): void => {
  tx.update(jobs)
    .set({ status: "error", progress: null, errorStage: row.stage, errorDetail: detail, finishedAt: at })
    .where(eq(jobs.id, row.jobId))
    .run()
  setStage(tx, row, { state: "error", owner: null, host: null, leaseUntil: null })
  setBegunStages(tx, row.jobId, "pending")
}
