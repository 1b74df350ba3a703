import { MESSAGE_VERSION, type StageMessage } from "../../../../domain/jobs/stages.ts"
import type { Transaction } from "../database.ts"
import { type JobRow, resultClipId, type StageRow, setStage } from "../jobs/job-rows.ts"
import { type Operation, run } from "../statements.ts"

/** Returns the ID of the n-th message of a stage. Each message has its own, so that a requeue is not a duplicate. */
const messageId = (jobId: string, stage: string, n: number): string => `${jobId}:${stage}:${n}`

/**
 * Inserts the latest message of a queued stage into the outbox.
 * @param row the stage, whose `messages` counts this message
 * @param availableAt when the message is due, as Unix milliseconds
 */
export const insertStageMessage = (
  tx: Transaction,
  job: JobRow,
  row: Pick<StageRow, "jobId" | "stage" | "messages" | "attempt" | "next">,
  availableAt: number,
  { crashed = false }: { readonly crashed?: boolean } = {},
): Operation<number> => {
  const body: StageMessage = {
    version: MESSAGE_VERSION,
    job_id: job.id,
    session_id: resultClipId(job),
    stage: row.stage,
    attempt: row.attempt + 1,
    next: [...row.next],
    ...(crashed && { crashed }),
    ...(job.trace && { trace: job.trace }),
  }
  return run(
    tx.db.insert(tx.tables.outbox).values({
      id: messageId(row.jobId, row.stage, row.messages),
      jobId: row.jobId,
      stage: row.stage,
      body: JSON.stringify(body),
      availableAt,
    }),
  )
}

/**
 * Sets a stage to queued and inserts its message into the outbox.
 * @param availableAt when the message is due, as Unix milliseconds
 * @param options.crashed true if the last worker of the stage died
 */
export function* enqueueStage(
  tx: Transaction,
  job: JobRow,
  row: StageRow,
  availableAt: number,
  { crashed = false, ...changes }: { tries?: number; crashed?: boolean; deferredSince?: number | null } = {},
): Operation<void> {
  const messages = row.messages + 1
  yield* setStage(tx, row, {
    state: "queued",
    messages,
    crashed,
    owner: null,
    host: null,
    leaseUntil: null,
    ...changes,
  })
  yield* insertStageMessage(tx, job, { ...row, messages }, availableAt, { crashed })
}
