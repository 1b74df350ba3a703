import { STAGE_NAMES } from "#lib/domain/constants.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"

/** What a stage does, in words of people who do not know the pipeline. */
export const STAGE_TITLES: Record<StageName, string> = {
  whisper: "Listening",
  l1: "Finding topics",
  decide: "Weighing which to divide",
  l2: "Finding subtopics",
  summarize_l1: "Naming topics",
  summarize_l2: "Naming subtopics",
  l0: "Summing up",
  persist: "Placing on the map",
}

/** Rough share of a run's time by stage; only for the one bar over all, never for a time left. */
const WEIGHT: Record<StageName, number> = {
  whisper: 60,
  l1: 8,
  decide: 4,
  l2: 8,
  summarize_l1: 7,
  summarize_l2: 7,
  l0: 3,
  persist: 3,
}

export type StageView = { name: StageName; title: string; state: StageState; part: number | null }

/** The eight stages of a job; `part` is how far a running stage is, from 0 to 1, null when it does not say. */
export const stageViews = ({ stages, progress }: Pick<JobRecord, "stages" | "progress">): StageView[] =>
  STAGE_NAMES.map((name) => ({
    name,
    title: STAGE_TITLES[name],
    state: stages[name],
    part: progress?.stage === name && progress.total > 0 ? Math.min(1, progress.done / progress.total) : null,
  }))

/** How far the whole run is, from 0 to 1. */
export const overall = (views: readonly StageView[]): number => {
  const total = views.reduce((sum, v) => sum + WEIGHT[v.name], 0)
  const done = views.reduce((sum, v) => {
    const part = v.state === "done" ? 1 : v.state === "running" ? (v.part ?? 0) : 0
    return sum + part * WEIGHT[v.name]
  }, 0)
  return done / total
}

/** What a job is doing now: its running stages, else what it waits for. */
export const doing = (views: readonly StageView[]): string => {
  const running = views.filter((v) => v.state === "running")
  if (running.length > 0) return running.map((v, i) => (i === 0 ? v.title : v.title.toLowerCase())).join(" and ")
  return views.some((v) => v.state === "done") ? "Between two stages" : "Waiting for a worker"
}
