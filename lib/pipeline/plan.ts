import { isJoin, needsOf, nextOf } from "../domain/jobs/stage-graph.ts"
import { STAGE_NAMES } from "../domain/jobs/stages.ts"
import type { PlannedStage } from "../storage/stores/types.ts"
import { STAGES } from "./stages/index.ts"

/** The graph as rows that are kept with a job, so that the store can route without knowing it. */
export const plan = (): PlannedStage[] =>
  STAGE_NAMES.map((stage) => ({
    stage,
    next: nextOf(stage),
    joins: isJoin(stage) ? needsOf(stage) : [],
    maxAttempts: STAGES[stage].retry.maxAttempts,
  }))
