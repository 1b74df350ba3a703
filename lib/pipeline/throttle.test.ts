import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { JobProgress } from "../domain/jobs/jobs.ts"
import { throttleProgress } from "./throttle.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Reports at the given times in seconds after the start, and returns the reports that get through. */
const reportAt = async (
  ...reports: (readonly [at: number, done: number, total: number, phase?: "model" | "speech"])[]
) => {
  const sent: JobProgress[] = []
  const progress = throttleProgress(
    "whisper",
    async (report) => void sent.push(report),
    () => {},
  )
  let now = 0
  for (const [at, ...report] of reports) {
    await vi.advanceTimersByTimeAsync((at - now) * 1000)
    progress.report(...report)
    await vi.advanceTimersByTimeAsync(250)
    now = at + 0.25
    // The clock of the host may be set back.
    vi.setSystemTime(0)
  }
  await progress.end()
  return sent
}

it("contains a phase and an estimate only if there is one", async () => {
  const sent = await reportAt([0, 0, 4], [2, 1, 4], [4, 4, 4], [6, 5, 4], [7, 1, 2, "speech"])
  expect(sent).toEqual([
    { stage: "whisper", done: 0, total: 4 },
    { stage: "whisper", done: 1, total: 4, eta_s: 6 },
    { stage: "whisper", done: 4, total: 4, eta_s: 0 },
    { stage: "whisper", done: 5, total: 4 },
    { stage: "whisper", done: 1, total: 2, eta_s: 0, phase: "speech" },
  ])
})

it("sends the newest report 250 ms after the last one was sent, and none after the end", async () => {
  const sent: number[] = []
  let arrive = (): void => undefined
  const progress = throttleProgress(
    "l1",
    ({ done }) => {
      sent.push(done)
      return new Promise((resolve) => {
        arrive = resolve
      })
    },
    () => {},
  )
  progress.report(1, 9)
  await vi.advanceTimersByTimeAsync(249)
  expect(sent).toEqual([])
  progress.report(2, 9)
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toEqual([2])
  progress.report(3, 9)
  // The store has not answered yet.
  await vi.advanceTimersByTimeAsync(1000)
  progress.report(4, 9)
  expect(sent).toEqual([2])
  arrive()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([2, 4])
  progress.report(5, 9)
  let hasEnded = false
  const ending = progress.end().then(() => {
    hasEnded = true
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(hasEnded).toBe(false)
  arrive()
  await ending
  await vi.advanceTimersByTimeAsync(1000)
  expect([sent, vi.getTimerCount()]).toEqual([[2, 4], 0])
})

it("continues after a report that fails", async () => {
  const failures: unknown[] = []
  const locked = new Error("locked")
  let sent = 0
  const progress = throttleProgress(
    "l1",
    async () => {
      if (++sent === 1) throw locked
    },
    (error) => failures.push(error),
  )
  for (const done of [1, 2]) {
    progress.report(done, 2)
    await vi.advanceTimersByTimeAsync(250)
  }
  await progress.end()
  expect([failures, sent]).toEqual([[locked], 2])
})

it("estimates the remaining time from the pace of the current phase", async () => {
  const sent = await reportAt(
    [0, 0, 100, "model"],
    [1_000, 0, 60, "speech"],
    [1_010, 20, 60, "speech"],
    [1_020, 50, 60, "speech"],
  )
  expect(sent.map((r) => r.eta_s)).toEqual([undefined, undefined, 20, 4])
})
