import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES, STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"

export type StageView = { name: StageName; title: string; state: StageState; part: number | null }

/** The eight stages of a job; `part` is how far a running stage is, from 0 to 1, null when it does not say. */
export const stageViews = ({ stages, progress }: Pick<JobRecord, "stages" | "progress">): StageView[] =>
  STAGE_NAMES.map((name) => ({
    name,
    title: STAGE_TABLE[name].label,
    state: stages[name],
    part: progress?.stage === name && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null,
  }))

/** How far the whole run is, from 0 to 1. */
export const overall = (views: readonly StageView[]): number => {
  const total = views.reduce((sum, v) => sum + STAGE_TABLE[v.name].timeShare, 0)
  const done = views.reduce((sum, v) => {
    const part = v.state === "done" ? 1 : v.state === "running" ? (v.part ?? 0) : 0
    return sum + part * STAGE_TABLE[v.name].timeShare
  }, 0)
  return done / total
}

/** What a job is doing now: its running stages, else what it waits for. */
export const doing = (views: readonly StageView[]): string => {
  const running = views.filter((v) => v.state === "running")
  if (running.length > 0) return running.map((v, i) => (i === 0 ? v.title : v.title.toLowerCase())).join(" and ")
  return views.some((v) => v.state === "done") ? "Between two stages" : "Waiting for a worker"
}
