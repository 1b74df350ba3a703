import { afterEach, describe, expect, it, vi } from "vitest"
import { newId } from "./ids.ts"

describe("new IDs", () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it("are UUIDs of version 7 that begin with the time", () => {
    vi.useFakeTimers({ now: Date.UTC(2100, 0, 1) })
    const id = newId()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(Date.UTC(2100, 0, 1))
  })

  it("sort in the order in which they were made, also within a millisecond and after the clock went back", () => {
    vi.useFakeTimers({ now: Date.UTC(2100, 0, 2) })
    const ids = Array.from({ length: 10_000 }, newId)
    vi.setSystemTime(Date.UTC(2100, 0, 1))
    ids.push(newId(), newId())
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
