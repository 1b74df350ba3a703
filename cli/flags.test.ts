import { describe, expect, it } from "vitest"
import { AppError } from "#lib/domain/errors.ts"
import { topicPatch } from "#lib/domain/topics/topic-edits.ts"
import { nameFlags, parseFlags } from "./flags.ts"

const names = { start_s: "--start", end_s: "--end" }

describe("parseFlags", () => {
  const parse = (given: object) =>
    parseFlags(
      topicPatch,
      { title: undefined, summary: undefined, start_s: undefined, end_s: undefined, ...given },
      names,
    )

  it("returns the given flags only", () => {
    expect(parse({ start_s: 5 })).toEqual({ start_s: 5 })
  })
  it("names a wrong flag, and all of them if one is missing", () => {
    expect(() => parse({ start_s: -1 })).toThrow(/^--start must be/)
    expect(() => parse({})).toThrow("The command must have at least one of --title, --summary, --start, --end.")
  })
})

describe("nameFlags", () => {
  it("names the flag instead of the field that an error begins with", async () => {
    const failed = (message: string) => nameFlags(names, Promise.reject(new AppError("invalid", message)))
    await expect(failed("start_s cannot be moved: no word begins there")).rejects.toThrow(/^--start cannot be moved/)
    await expect(failed("unknown clip 'start_s'")).rejects.toThrow("unknown clip 'start_s'")
    expect(await nameFlags(names, Promise.resolve(1))).toBe(1)
  })
})
