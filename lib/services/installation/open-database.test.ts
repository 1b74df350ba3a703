import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { waitForDatabase } from "./open-database.ts"

const recordLog = () => {
  const lines: string[] = []
  const record = (...args: unknown[]) => void lines.push(args.map((a) => JSON.stringify(a)).join(" "))
  return { lines, log: { warn: record, info: record } as Parameters<typeof waitForDatabase>[1] }
}
const failing = (...failures: unknown[]) => {
  let tries = 0
  const open = async () => {
    if (tries < failures.length) throw failures[tries++]
    return tries
  }
  return { open, tries: () => tries }
}
const unreachable = (why: string) => new AppError("unavailable", why, { retry: "retry" })

describe("waitForDatabase", () => {
  it("retries, logs each reason once, and logs when it is connected", async () => {
    const { lines, log } = recordLog()
    const { open } = failing(unreachable("no answer"), unreachable("no answer"), unreachable("it is starting"))
    expect(await waitForDatabase(open, log)).toBe(3)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain("no answer")
    expect(lines[1]).toContain("it is starting")
    expect(lines[2]).toContain("connected")
  })

  it("throws permanent errors immediately", async () => {
    const { log } = recordLog()
    const failures = [
      new AppError("unavailable", "refuses the password"),
      new AppError("conflict", "belongs to another version", { retry: "retry" }),
      new TypeError("a bug"),
    ]
    for (const failure of failures) {
      const { open, tries } = failing(failure)
      await expect(waitForDatabase(open, log)).rejects.toBe(failure)
      expect(tries()).toBe(1)
    }
  })
})
