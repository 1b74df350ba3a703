import { and, asc, eq, inArray } from "drizzle-orm"
import type { JobRecord } from "../../../domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName, type StageState } from "../../../domain/jobs/stages.ts"
import type { jobStages, jobs } from "../../database/schema/index.ts"
import type { Tx } from "./context.ts"
import { all, get, run, type Steps } from "./steps.ts"

export type JobRow = typeof jobs.$inferSelect
export type StageRow = Omit<typeof jobStages.$inferSelect, "output">

/** Everything but the output, which may be large and is read only by `snapshot`. */
export const stageColumns = ({ t: { jobStages: s } }: Tx) => ({
  jobId: s.jobId,
  stage: s.stage,
  state: s.state,
  next: s.next,
  joins: s.joins,
  maxAttempts: s.maxAttempts,
  attempt: s.attempt,
  tries: s.tries,
  messages: s.messages,
  crashed: s.crashed,
  owner: s.owner,
  host: s.host,
  leaseUntil: s.leaseUntil,
  beganAt: s.beganAt,
  endedAt: s.endedAt,
})

export const jobRow = ({ db, t: { jobs } }: Tx, jobId: string): Steps<JobRow | undefined> =>
  get(db.select().from(jobs).where(eq(jobs.id, jobId)))

const ofStage = ({ t: { jobStages } }: Tx, row: Pick<StageRow, "jobId" | "stage">) =>
  and(eq(jobStages.jobId, row.jobId), eq(jobStages.stage, row.stage))

export const stageRow = (tx: Tx, jobId: string, stage: StageName): Steps<StageRow | undefined> =>
  get(tx.db.select(stageColumns(tx)).from(tx.t.jobStages).where(ofStage(tx, { jobId, stage })))

export const stageRows = (tx: Tx, jobIds: readonly string[]): Steps<StageRow[]> => {
  const { jobStages } = tx.t
  return all(
    tx.db
      .select(stageColumns(tx))
      .from(jobStages)
      .where(inArray(jobStages.jobId, [...jobIds]))
      .orderBy(asc(jobStages.jobId)),
  )
}

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
  ...(job.source.kind === "upload" && { file_name: job.source.name }),
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

export const setJob = ({ db, t: { jobs } }: Tx, jobId: string, changes: Partial<JobRow>): Steps<number> =>
  run(db.update(jobs).set(changes).where(eq(jobs.id, jobId)))

export const setStage = (tx: Tx, row: StageRow, changes: Partial<typeof jobStages.$inferInsert>): Steps<number> =>
  run(tx.db.update(tx.t.jobStages).set(changes).where(ofStage(tx, row)))

/**
 * Takes the stages that are queued or running out of the run. Owner and lease stay: they tell that somebody may
 * still be at work on a stage that no longer counts.
 */
export const setActiveStageStates = ({ db, t: { jobStages } }: Tx, jobId: string, state: StageState): Steps<number> =>
  run(
    db
      .update(jobStages)
      .set({ state })
      .where(and(eq(jobStages.jobId, jobId), inArray(jobStages.state, ["queued", "running"]))),
  )

/** Ends the job in error: the stage that failed says so, the others wait for a retry. */
export function* failJob(tx: Tx, row: StageRow, detail: string): Steps<void> {
  const end = {
    status: "error",
    progress: null,
    errorStage: row.stage,
    errorDetail: detail,
    finishedAt: tx.at,
  } as const
  yield* setJob(tx, row.jobId, end)
  yield* setStage(tx, row, { state: "error", owner: null, host: null, leaseUntil: null })
  yield* setActiveStageStates(tx, row.jobId, "pending")
}
