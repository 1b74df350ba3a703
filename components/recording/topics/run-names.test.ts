import { describe, expect, it } from "vitest"
import { type TopicSettingsInput, topicSettings } from "#lib/domain/jobs/jobs.ts"
import type { TopicRunEntry } from "#lib/domain/topics/topic-runs.ts"
import { getRunNames } from "./run-names.ts"

const run = (id: string, settings: TopicSettingsInput | null, topics = 4): TopicRunEntry => ({
  id,
  clip_id: "c",
  created_at: `2026-11-21T08:00:0${id}.000Z`,
  provider: "builtin",
  llm_model: null,
  settings: settings && topicSettings.parse(settings),
  topics,
})

describe("run names", () => {
  it("distinguish identical runs by number and time", () => {
    const names = [...getRunNames([run("2", {}), run("1", {})]).values()]
    expect(names.map((name) => name.slice(0, 23))).toEqual(["2: Built-in · 4 topics ", "1: Built-in · 4 topics "])
    expect(new Set(names).size).toBe(2)
    expect(names[0]).toMatch(/21, \d\d:00:02$/)
  })
  it("include only the settings in which the runs differ", () => {
    const runs = [run("3", { min_subdivide_duration_s: 20 }, 6), run("2", {}), run("1", null)]
    expect([...getRunNames(runs).values()].map((name) => name.split(" · ").slice(0, -1))).toEqual([
      ["3: Built-in", "subtopics from 20 s", "6 topics"],
      ["2: Built-in", "subtopics from 120 s", "4 topics"],
      ["1: Built-in", "4 topics"],
    ])
  })
})
