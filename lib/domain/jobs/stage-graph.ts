import { STAGE_NAMES, STAGE_TABLE, type StageName } from "./stage-table.ts"
import type { StageMessage } from "./stages.ts"

export const firstStage: StageName = "whisper"

/** Returns the stages that must be done before `stage` can start. */
export const predecessorsOf = (stage: StageName): readonly StageName[] => STAGE_TABLE[stage].needs

/** Returns true if the stage has several predecessors. The last of them to finish inserts its message. */
export const isJoin = (stage: StageName): boolean => predecessorsOf(stage).length > 1

/** Returns the successors that a message for `stage` lists in `next`. Joins are not listed. */
export const successorsOf = (stage: StageName): StageName[] =>
  STAGE_NAMES.filter((to) => predecessorsOf(to).includes(stage) && !isJoin(to))

/** Returns the graph as rows that are stored with a job, so that jobs in flight keep the graph they started with. */
export const planStages = () =>
  STAGE_NAMES.map((stage) => ({
    stage,
    next: successorsOf(stage),
    joins: isJoin(stage) ? [...predecessorsOf(stage)] : [],
    maxAttempts: STAGE_TABLE[stage].maxAttempts,
  }))

/** Returns true if the `next` of a message lists exactly the successors of its stage, in any order. */
export const hasValidNext = ({ stage, next }: Pick<StageMessage, "stage" | "next">): boolean => {
  const expected = successorsOf(stage)
  return expected.length === next.length && expected.every((s) => next.includes(s))
}
