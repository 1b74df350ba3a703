import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import { throttleProgress } from "./throttle.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("estimates the remaining time from the pace of the current phase", async () => {
  const reports: JobProgress[] = []
  const progress = throttleProgress(
    "whisper",
    async (report) => void reports.push(report),
    () => {},
  )
  const at = async (seconds: number, ...report: Parameters<typeof progress.report>) => {
    vi.setSystemTime(seconds * 1000)
    progress.report(...report)
    await vi.advanceTimersByTimeAsync(250)
  }
  await at(1_000, 0, 100, "model")
  await at(2_000, 0, 60, "speech")
  await at(2_010, 20, 60, "speech")
  await at(2_020, 50, 60, "speech")
  expect(reports.map((r) => r.eta_s)).toEqual([undefined, undefined, 20, 4])
  await progress.end()
})
