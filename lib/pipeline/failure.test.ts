import { hostname } from "node:os"
import { describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { toStageFailure } from "./failure.ts"

const BACKOFF_MS = 1_000
const at = (tries: number, random: number) =>
  toStageFailure(new Error("gone"), BACKOFF_MS, tries, () => random).retryInMs

describe("toStageFailure", () => {
  it("doubles the delay with each attempt, with 50 to 100 percent jitter, up to five minutes", () => {
    expect([at(1, 1), at(2, 1), at(3, 1)]).toEqual([1_000, 2_000, 4_000])
    expect([at(1, 0), at(3, 0)]).toEqual([500, 2_000])
    expect(at(20, 1)).toBe(300_000)
  })

  it("uses the retry class and the delay of an AppError", () => {
    const error = (retry: "never" | "later", retryInMs?: number) =>
      new AppError("unavailable", "why", { retry, ...(retryInMs !== undefined && { retryInMs }) })
    expect(toStageFailure(error("never"), BACKOFF_MS, 1)).toEqual({ kind: "never", detail: "why", retryInMs: 0 })
    expect(toStageFailure(error("later", 7), BACKOFF_MS, 1)).toEqual({ kind: "later", detail: "why", retryInMs: 7 })
    for (const kind of ["later", "retry"] as const) {
      const tomorrow = new AppError("unavailable", "why", { retry: kind, retryInMs: 86_400_000 })
      expect(toStageFailure(tomorrow, BACKOFF_MS, 1).retryInMs).toBe(300_000)
    }
    expect(toStageFailure(new Error("gone"), BACKOFF_MS, 1).kind).toBe("retry")
  })

  it("defers the stage without using an attempt when the worker's disk is full", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
    const said = new AppError("storage_full", "free some space", { cause: full })
    for (const error of [full, said]) {
      const failure = toStageFailure(error, BACKOFF_MS, 1)
      expect(failure).toMatchObject({ kind: "later", retryInMs: 30_000 })
      expect(failure.detail).toContain(`The disk of the worker on ${hostname()} is full: ${error.message}`)
    }
    // The disk of somebody else is full for every worker.
    const theirs = new AppError("storage_full", "the storage takes no more", { retry: "retry" })
    expect(toStageFailure(theirs, BACKOFF_MS, 1).kind).toBe("retry")
  })
})
