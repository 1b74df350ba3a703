import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES, STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"

export type StageView = {
  name: StageName
  label: string
  state: StageState
  /** Progress of the running stage from 0 to 1, null while it is unknown. */
  progress: number | null
}

/** Returns the eight stages of a job in pipeline order. */
export const getStageViews = ({ stages, progress }: Pick<JobRecord, "stages" | "progress">): StageView[] =>
  STAGE_NAMES.map((name) => ({
    name,
    label: STAGE_TABLE[name].label,
    state: stages[name],
    progress: progress?.stage === name && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null,
  }))

/** Returns the progress of the whole job from 0 to 1. */
export const getOverallProgress = (views: readonly StageView[]): number => {
  const total = views.reduce((sum, { name }) => sum + STAGE_TABLE[name].timeShare, 0)
  const done = views.reduce((sum, { name, state, progress }) => {
    const share = state === "done" ? 1 : state === "running" ? (progress ?? 0) : 0
    return sum + share * STAGE_TABLE[name].timeShare
  }, 0)
  return done / total
}

/** Returns the labels of the running stages, or the reason why none is running. */
export const describeActivity = (views: readonly StageView[]): string => {
  const running = views.filter(({ state }) => state === "running")
  if (running.length > 0) return running.map(({ label }, i) => (i === 0 ? label : label.toLowerCase())).join(" and ")
  return views.some(({ state }) => state === "done") ? "Starting the next stage" : "Waiting for a worker"
}
