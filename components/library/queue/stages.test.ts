import { describe, expect, it } from "vitest"
import { STAGE_NAMES } from "#lib/domain/jobs/stage-table.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"
import { describeActivity, getOverallProgress, getStageViews } from "./stages.ts"

const all = (state: StageState, some: Partial<Record<StageName, StageState>> = {}) => ({
  ...(Object.fromEntries(STAGE_NAMES.map((n) => [n, state])) as Record<StageName, StageState>),
  ...some,
})

describe("stage views", () => {
  it("gives progress to the running stage only", () => {
    const views = getStageViews({
      stages: all("pending", { whisper: "running" }),
      progress: { stage: "whisper", done: 30, total: 120 },
    })
    expect(views.map((v) => v.progress)).toEqual([0.25, null, null, null, null, null, null, null])
  })

  it("limits overall progress to the range from 0 to 1", () => {
    const at = (stages: Record<StageName, StageState>, done = 0) =>
      getOverallProgress(getStageViews({ stages, progress: { stage: "whisper", done, total: 10 } }))
    expect(at(all("pending"))).toBe(0)
    expect(at(all("done"))).toBe(1)
    expect(at(all("pending", { whisper: "running" }), 500)).toBe(at(all("pending", { whisper: "done" })))
  })

  it("names both stages when two run concurrently", () => {
    const views = getStageViews({
      stages: all("pending", { whisper: "done", l1: "done", decide: "running", summarize_l1: "running" }),
      progress: null,
    })
    expect(describeActivity(views)).toBe("Choosing topics to divide and summarizing topics")
    expect(describeActivity(getStageViews({ stages: all("pending", { whisper: "queued" }), progress: null }))).toBe(
      "Waiting for a worker",
    )
  })
})
