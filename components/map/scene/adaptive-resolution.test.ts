import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createAdaptiveResolution } from "./adaptive-resolution.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const runFrames = (tick: (hasMoved: boolean, now: number) => number, count: number, took: number, from = 1000) => {
  let share = 1
  for (let k = 0; k < count; k++) share = tick(true, from + k * took)
  return share
}

describe("createAdaptiveResolution", () => {
  it("draws fewer pixels while frames are slow, half of them at least", () => {
    const { tick } = createAdaptiveResolution(() => undefined)
    expect(runFrames(tick, 3, 16)).toBe(1)
    expect(runFrames(tick, 3, 40, 1100)).toBeLessThan(0.8)
    expect(runFrames(tick, 20, 40, 1300)).toBe(0.5)
  })

  it("draws more pixels again after many fast frames", () => {
    const { tick } = createAdaptiveResolution(() => undefined)
    const slow = runFrames(tick, 3, 40)
    expect(runFrames(tick, 100, 16, 1130)).toBeGreaterThan(slow)
  })

  it("draws all pixels of a map at rest, and reports the rest once", () => {
    const onRest = vi.fn()
    const { tick } = createAdaptiveResolution(onRest)
    runFrames(tick, 10, 40)
    vi.advanceTimersByTime(150)
    expect(onRest).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(onRest).toHaveBeenCalledOnce()
    expect(tick(false, 3000)).toBe(1)
  })
})
