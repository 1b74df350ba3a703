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

describe("what must be written", () => {
  it("is written when the store answers again", async () => {
    const { write, calls } = failing(1, gone)
    expect(await retryUntil(write, 60_000)).toBe("written")
    expect(calls()).toBe(2)
  })

  it("is given up when the time is over", async () => {
    const { write, calls } = failing(1, gone)
    await expect(retryUntil(write, 0)).rejects.toThrow("does not answer")
    expect(calls()).toBe(1)
  })

  it("is not tried again for another reason", async () => {
    const { write, calls } = failing(1, new AppError("not_found", "the clip was removed"))
    await expect(retryUntil(write, 60_000)).rejects.toThrow("removed")
    expect(calls()).toBe(1)
  })
})
