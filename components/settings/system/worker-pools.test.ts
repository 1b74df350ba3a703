import { describe, expect, it } from "vitest"
import type { Installation } from "#lib/domain/installation.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stage-table.ts"
import { describeStages, findMixedVersions, groupWorkers } from "./worker-pools.ts"

const worker = (over: Partial<Installation["workers"][number]>): Installation["workers"][number] => ({
  id: "w",
  host: "a",
  version: "1.0.0",
  stages: ["l1"],
  started_at: "2026-11-21T10:00:00.000Z",
  active_at: null,
  ...over,
})

describe("worker pools", () => {
  it("groups workers by host, version and stages and keeps the latest activity", () => {
    const early = "2026-11-21T10:00:01.000Z"
    const late = "2026-11-21T10:00:02.000Z"
    expect(
      groupWorkers([
        worker({ host: "gpu-10" }),
        worker({ host: "gpu-9", active_at: early }),
        worker({ host: "gpu-9", active_at: late }),
        worker({ host: "gpu-9" }),
        worker({ host: "gpu-9", stages: ["l2"] }),
        worker({ host: "gpu-10", version: null }),
      ]).map(({ host, version, stages, workers, active_at }) => [host, version, stages[0], workers, active_at]),
    ).toEqual([
      ["gpu-9", "1.0.0", "l1", 3, late],
      ["gpu-9", "1.0.0", "l2", 1, null],
      ["gpu-10", "1.0.0", "l1", 1, null],
      ["gpu-10", null, "l1", 1, null],
    ])
  })

  it("returns versions only if they differ", () => {
    expect(findMixedVersions([worker({}), worker({})])).toEqual([])
    expect(findMixedVersions([worker({ version: "1.1.0" }), worker({}), worker({ version: null })])).toEqual([
      "1.0.0",
      "1.1.0",
      "an unknown version",
    ])
  })

  it("names the stages, or the excluded ones if they are fewer", () => {
    expect(describeStages(STAGE_NAMES)).toBe("every stage")
    expect(describeStages(STAGE_NAMES.filter((name) => name !== "whisper"))).toBe("every stage except “Transcribing”")
    expect(describeStages(["persist", "whisper"])).toBe("Transcribing, Adding topics to the map")
  })
})
