import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { waitForDatabase } from "./wait-for-database.ts"

const heard = () => {
  const lines: string[] = []
  const take = (...args: unknown[]) => void lines.push(args.map((a) => JSON.stringify(a)).join(" "))
  return { lines, log: { warn: take, info: take } as Parameters<typeof waitForDatabase>[1] }
}
const failing = (...failures: unknown[]) => {
  let tries = 0
  const open = async () => {
    if (tries < failures.length) throw failures[tries++]
    return tries
  }
  return { open, tries: () => tries }
}
const away = (why: string) => new AppError("unavailable", why, { retry: "retry" })

describe("whenThere", () => {
  it("says each reason once, tries on, and says when it is there", async () => {
    const { lines, log } = heard()
    const { open } = failing(away("no answer"), away("no answer"), away("it is starting"))
    expect(await waitForDatabase(open, log)).toBe(3)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain("no answer")
    expect(lines[1]).toContain("it is starting")
    expect(lines[2]).toContain("is there")
  })

  it("gives up at once where time mends nothing", async () => {
    const { log } = heard()
    for (const failure of [new AppError("unavailable", "refuses the password"), new TypeError("a bug")]) {
      const { open, tries } = failing(failure)
      await expect(waitForDatabase(open, log)).rejects.toBe(failure)
      expect(tries()).toBe(1)
    }
  })
})
