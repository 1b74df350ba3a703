import { isJoin, predecessorsOf, successorsOf } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES, STAGE_TABLE } from "../domain/jobs/stage-table.ts"
import type { PlannedStage } from "../storage/stores/ports/jobs.ts"

/** The graph as rows that are kept with a job, so that the store can route without knowing it. */
export const plan = (): PlannedStage[] =>
  STAGE_NAMES.map((stage) => ({
    stage,
    next: successorsOf(stage),
    joins: isJoin(stage) ? [...predecessorsOf(stage)] : [],
    maxAttempts: STAGE_TABLE[stage].maxAttempts,
  }))
