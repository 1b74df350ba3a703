import { MESSAGE_VERSION, type StageMessage } from "../../../domain/jobs/stages.ts"
import type { Tx } from "./context.ts"
import { clipIdOf, type JobRow, type StageRow, setStage } from "./job-rows.ts"
import { run, type Steps } from "./steps.ts"

/** Each message of a stage has a number of its own, so that a requeue is never taken for the message before it. */
export const messageId = (jobId: string, stage: string, message: number): string => `${jobId}:${stage}:${message}`

/** Puts a stage in the queue: its state, and the outbox row that tells the workers, available from `at` (ms) on. `crashed`: after its worker died. */
export function* enqueue(
  tx: Tx,
  job: JobRow,
  row: StageRow,
  at: number,
  { crashed = false, ...changes }: { tries?: number; crashed?: boolean } = {},
): Steps<void> {
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
  const body: StageMessage = {
    version: MESSAGE_VERSION,
    job_id: job.id,
    session_id: clipIdOf(job),
    stage: row.stage,
    attempt: row.attempt + 1,
    next: [...row.next],
    ...(crashed && { crashed }),
    ...(job.trace && { trace: job.trace }),
  }
  yield* run(
    tx.db.insert(tx.t.outbox).values({
      id: messageId(row.jobId, row.stage, messages),
      jobId: row.jobId,
      stage: row.stage,
      body: JSON.stringify(body),
      availableAt: at,
    }),
  )
}
