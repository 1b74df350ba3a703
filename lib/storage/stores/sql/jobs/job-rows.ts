import { and, asc, eq, inArray } from "drizzle-orm"
import type { JobRecord } from "../../../../domain/jobs/jobs.ts"
import { STAGE_NAMES, type StageName, type StageState } from "../../../../domain/jobs/stages.ts"
import type { jobStages, jobs } from "../../../database/schema/index.ts"
import type { Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"

export type JobRow = typeof jobs.$inferSelect
export type StageRow = Omit<typeof jobStages.$inferSelect, "output">

/** Returns all columns except the output, which may be large and is read only by `readSnapshot`. */
export const stageColumns = ({ tables: { jobStages: s } }: Transaction) => ({
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
  deferredSince: s.deferredSince,
  owner: s.owner,
  host: s.host,
  leaseUntil: s.leaseUntil,
  beganAt: s.beganAt,
  endedAt: s.endedAt,
})

export const readJobRow = ({ db, tables: { jobs } }: Transaction, jobId: string): Operation<JobRow | undefined> =>
  get(db.select().from(jobs).where(eq(jobs.id, jobId)))

const isStage = ({ tables: { jobStages } }: Transaction, row: Pick<StageRow, "jobId" | "stage">) =>
  and(eq(jobStages.jobId, row.jobId), eq(jobStages.stage, row.stage))

export const readStageRow = (tx: Transaction, jobId: string, stage: StageName): Operation<StageRow | undefined> =>
  get(tx.db.select(stageColumns(tx)).from(tx.tables.jobStages).where(isStage(tx, { jobId, stage })))

export const readStageRows = (tx: Transaction, jobIds: readonly string[]): Operation<StageRow[]> => {
  const { jobStages } = tx.tables
  return all(
    tx.db
      .select(stageColumns(tx))
      .from(jobStages)
      .where(inArray(jobStages.jobId, [...jobIds]))
      .orderBy(asc(jobStages.jobId)),
  )
}

/** Returns true if the job is queued or running. Only then do the results of its stages count. */
export const isActive = (job: JobRow): boolean => job.status === "queued" || job.status === "running"

/** Returns the ID of the clip that the job writes to. */
export const resultClipId = (job: JobRow): string => job.resultSessionId ?? job.sessionId

const toIso = (ms: number) => new Date(ms).toISOString()

/** The columns of a stage that callers see. */
type ShownStage = Pick<StageRow, "stage" | "state" | "attempt" | "beganAt" | "endedAt">

const mapStages = <T>(rows: readonly ShownStage[], pick: (row: ShownStage | undefined) => T) =>
  Object.fromEntries(STAGE_NAMES.map((name) => [name, pick(rows.find((r) => r.stage === name))])) as Record<
    StageName,
    T
  >

/** Returns the duration of each finished stage. Stages that ended before start times were stored are absent. */
const stageSeconds = (rows: readonly ShownStage[]): JobRecord["stage_seconds"] =>
  Object.fromEntries(
    rows.flatMap(({ stage, state, beganAt, endedAt }) =>
      state === "done" && beganAt !== null && endedAt !== null
        ? [[stage, Math.max(0, endedAt - beganAt) / 1000] as const]
        : [],
    ),
  )

/** Converts the rows of a job and its stages to the record that callers see. */
export const toRecord = (job: JobRow, rows: readonly ShownStage[]): JobRecord => ({
  job_id: job.id,
  status: job.status,
  session_id: job.sessionId,
  ...(job.resultSessionId && { result_session_id: job.resultSessionId }),
  title: job.title,
  ...(job.source.kind === "upload" && { file_name: job.source.name }),
  stages: mapStages(rows, (r) => r?.state ?? "pending"),
  stage_attempts: mapStages(rows, (r) => r?.attempt ?? 0),
  stage_seconds: stageSeconds(rows),
  progress: job.progress,
  ...(job.errorStage && { error: { stage: job.errorStage, detail: job.errorDetail ?? "" } }),
  attempts: job.attempts,
  created_at: toIso(job.createdAt),
  ...(job.startedAt !== null && { started_at: toIso(job.startedAt) }),
  ...(job.finishedAt !== null && { finished_at: toIso(job.finishedAt) }),
})

export const setJob = (
  { db, tables: { jobs } }: Transaction,
  jobId: string,
  changes: Partial<JobRow>,
): Operation<number> => run(db.update(jobs).set(changes).where(eq(jobs.id, jobId)))

export const setStage = (
  tx: Transaction,
  row: StageRow,
  changes: Partial<typeof jobStages.$inferInsert>,
): Operation<number> => run(tx.db.update(tx.tables.jobStages).set(changes).where(isStage(tx, row)))

/**
 * Sets the state of the queued and running stages of a job. Owner and lease stay, because a worker may still be executing
 * a stage whose result no longer counts.
 */
export const setActiveStageStates = (
  { db, tables: { jobStages } }: Transaction,
  jobId: string,
  state: StageState,
): Operation<number> =>
  run(
    db
      .update(jobStages)
      .set({ state })
      .where(and(eq(jobStages.jobId, jobId), inArray(jobStages.state, ["queued", "running"]))),
  )
