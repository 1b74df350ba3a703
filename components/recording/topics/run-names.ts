import type { TopicSettings } from "#lib/domain/jobs/jobs.ts"
import type { TopicRunEntry } from "#lib/domain/topics/topic-runs.ts"
import { formatCount } from "../../ui/format.ts"
import { getProviderName } from "../provider-names.ts"

/** Describes the settings that affect topics. Concurrency does not. */
const SETTING_LABELS: Partial<Record<keyof TopicSettings, (settings: TopicSettings) => string>> = {
  topic_detail: (s) => `${s.topic_detail} topics`,
  min_subdivide_duration_s: (s) => `subtopics from ${s.min_subdivide_duration_s} s`,
  boundary_block_seconds: (s) => `blocks of ${s.boundary_block_seconds} s`,
  num_ctx_l1: (s) => `context of ${s.num_ctx_l1}`,
  num_ctx_fanout: (s) => `context of ${s.num_ctx_fanout} for subtopics`,
  reasoning: (s) => (s.reasoning ? "with reasoning" : "without reasoning"),
}

const formatMoment = (iso: string): string =>
  new Date(iso).toLocaleString("en", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  })

/**
 * Returns a name for each run, newest first: number (1 is the oldest stored run), model, the settings in which the runs
 * differ, number of topics and time.
 */
export const getRunNames = (runs: readonly TopicRunEntry[]): ReadonlyMap<string, string> => {
  const keys = Object.keys(SETTING_LABELS) as (keyof TopicSettings)[]
  const known = runs.flatMap(({ settings }) => settings ?? [])
  const differing = keys.filter((key) => new Set(known.map((settings) => settings[key])).size > 1)
  return new Map(
    runs.map((run, i) => {
      const { settings } = run
      const said = settings ? differing.map((key) => SETTING_LABELS[key]!(settings)) : []
      const made = run.llm_model ?? getProviderName(run.provider) ?? "given"
      const parts = [made, ...said, formatCount(run.topics, "topic"), formatMoment(run.created_at)]
      return [run.id, `${runs.length - i}: ${parts.join(" · ")}`]
    }),
  )
}
