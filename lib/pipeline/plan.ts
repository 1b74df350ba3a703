import { STAGE_NAMES } from "../contracts/stages.ts"
import type { PlannedStage } from "../store/types.ts"
import { isJoin, needsOf, nextOf } from "./graph.ts"
import { STAGES } from "./stages/index.ts"

/** The graph as rows that are kept with a job, so that the store can route without knowing it. */
export const plan = (): PlannedStage[] =>
  STAGE_NAMES.map((stage) => ({
    stage,
    next: nextOf(stage),
    joins: isJoin(stage) ? needsOf(stage) : [],
    maxAttempts: STAGES[stage].retry.maxAttempts,
  }))
