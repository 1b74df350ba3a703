import { describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { retryUntil } from "./retry-until.ts"

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

describe("retryUntil", () => {
  it("retries until the store is available again", async () => {
    const { write, calls } = failing(1, gone)
    expect(await retryUntil(write, 60_000)).toBe("written")
    expect(calls()).toBe(2)
  })

  it("throws after the time limit", async () => {
    const { write, calls } = failing(1, gone)
    await expect(retryUntil(write, 0)).rejects.toThrow("does not answer")
    expect(calls()).toBe(1)
  })

  it("does not retry other errors", async () => {
    const { write, calls } = failing(1, new AppError("not_found", "the clip was removed"))
    await expect(retryUntil(write, 60_000)).rejects.toThrow("removed")
    expect(calls()).toBe(1)
  })
})
