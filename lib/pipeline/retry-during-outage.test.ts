import { describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { retryDuringOutage } from "./retry-during-outage.ts"

const failing = (times: number, error: Error) => {
  let calls = 0
  return {
    calls: () => calls,
    write: async () => {
      if (++calls <= times) throw error
      return "written"
    },
  }
}
const gone = new AppError("unavailable", "the database does not answer")

describe("retryDuringOutage", () => {
  it("retries until the store is available again", async () => {
    const { write, calls } = failing(1, gone)
    expect(await retryDuringOutage(write, 60_000)).toBe("written")
    expect(calls()).toBe(2)
  })

  it("retries until the disk of the store has space again, and reports the outage once", async () => {
    const { write } = failing(2, new AppError("storage_full", "the disk is full"))
    const reported: string[] = []
    expect(await retryDuringOutage(write, 60_000, { onOutage: (error) => reported.push(error.message) })).toBe(
      "written",
    )
    expect(reported).toEqual(["the disk is full"])
  })

  it("stops waiting when it is aborted", async () => {
    const { write } = failing(99, gone)
    const signal = AbortSignal.timeout(20)
    await expect(retryDuringOutage(write, 60_000, { signal })).rejects.toThrow(/abort/)
  })

  it("throws after the time limit", async () => {
    const { write, calls } = failing(1, gone)
    await expect(retryDuringOutage(write, 0)).rejects.toThrow("does not answer")
    expect(calls()).toBe(1)
  })

  it("does not retry other errors", async () => {
    const { write, calls } = failing(1, new AppError("not_found", "the clip was removed"))
    await expect(retryDuringOutage(write, 60_000)).rejects.toThrow("removed")
    expect(calls()).toBe(1)
  })
})
