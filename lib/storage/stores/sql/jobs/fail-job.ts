import type { Transaction } from "../database.ts"
import type { Operation } from "../statements.ts"
import { recordJobEvent } from "../webhooks/events.ts"
import { type StageRow, setActiveStageStates, setJob, setStage } from "./job-rows.ts"

/** Fails a job because of one stage. The other active stages return to pending until a retry. */
export function* failJob(tx: Transaction, row: StageRow, detail: string): Operation<void> {
  yield* setJob(tx, row.jobId, {
    status: "error",
    progress: null,
    errorStage: row.stage,
    errorDetail: detail,
    finishedAt: tx.now,
  })
  yield* setStage(tx, row, { state: "error", owner: null, host: null, leaseUntil: null })
  yield* setActiveStageStates(tx, row.jobId, "pending")
  yield* recordJobEvent(tx, "job.error", row.jobId)
}
